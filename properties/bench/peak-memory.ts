// Preloaded into a measured process: says on stderr, at its end, how much memory it ever held.

process.on('exit', () => {
  // Kilobytes, by the operating system.
  const megabytes = Math.ceil(process.resourceUsage().maxRSS / 1024);
  process.stderr.write(`peak memory ${megabytes} MB\n`);
});
