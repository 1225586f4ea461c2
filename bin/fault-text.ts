// How a run that itself went wrong is told: what was running and the one stack that matters.

import type { SeedFault } from '../properties/campaign/tally.ts';

/** @param what was running: `seed 7`, or a trace's file */
export function formatFault(what: string, fault: SeedFault): string {
  const { code, stack } = fault;
  const message = faultMessage(fault);
  const isToldWithoutStack =
    code === 'escape' || code === 'subject-hangs' || code === 'not-deterministic';
  // An escape's message holds the stack that escaped, the error's own leads into the simulator; to
  // what is wrong with a subject as a whole no stack leads.
  const told = isToldWithoutStack
    ? message
    : stack.includes(message)
      ? stack
      : `${message}\n${stack}`;
  return `weir: the run of ${what} itself went wrong\n${told}\n`;
}

/** The fault's message, with the name of the function that an escape went through. */
export function faultMessage({ code, message }: SeedFault): string {
  return code === 'escape' ? nameApi(message) : message;
}

const RESOURCE = /left the simulation through ([A-Z][A-Z0-9]*);/;
const OWN_FRAME = /\/sim\/kernel\/|\/node_modules\/tinypool\//;

/**
 * Node calls what was reached for by the type of an internal resource (FSREQPROMISE). The stack tells
 * the function that was called: the last one of Node before the code of somebody else.
 */
function nameApi(message: string): string {
  const type = RESOURCE.exec(message)?.[1];
  if (type === undefined) return message;
  const api = findApi(message.split('\n').slice(1));
  return api === undefined
    ? message
    : message.replace(`through ${type};`, `through ${api} (${type});`);
}

function findApi(frames: readonly string[]): string | undefined {
  let api: string | undefined;
  for (const frame of frames) {
    if (/node:internal\/modules\//.test(frame)) return 'import() or require()';
    const [, name, file] = /at (?:async )?(?:new )?(\S+) .*\((node:[^:)]+)/.exec(frame) ?? [];
    if (file !== undefined && name !== undefined) {
      if (!/emitInit/.test(name)) api = `${withoutOwner(name)} of ${publicName(file)}`;
    } else if (!OWN_FRAME.test(frame) && !/node:|<anonymous>/.test(frame)) {
      return api;
    }
  }
  return api;
}

/** `Object.readFile` is `readFile`: the owner is only how the module exports it. */
function withoutOwner(name: string): string {
  return name.replace(/^.*\./, '');
}

function publicName(file: string): string {
  return file.replace('node:internal/', 'node:');
}
