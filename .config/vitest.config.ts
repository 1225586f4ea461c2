// The test runner's settings. The simulator's platform wrappers must be installed before any code
// under test is loaded, hence the setup file.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    include: ['{model,impl,sim,properties,bin}/**/*.test.ts', 'properties/**/*.property.ts'],
    setupFiles: ['sim/kernel/platform.ts'],
    pool: 'forks',
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
