import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { describeError, EXIT, fromIssues, InputError } from './input-error.ts';

describe('an error that ends a command', () => {
  it('is one line with file, place, value and expectation when the input is bad', () => {
    const schema = z.strictObject({ faults: z.array(z.strictObject({ atMs: z.int() })) });
    const input = { faults: [{ atMs: 1 }, { atMs: 'soon' }] };
    const parsed = schema.safeParse(input);
    expect(parsed.success).toBe(false);
    if (parsed.success) return;
    const { message, exitCode } = describeError(fromIssues('s.json', input, parsed.error));
    expect(message).toBe('s.json: faults[1].atMs is "soon", expected a number');
    expect(exitCode).toBe(EXIT.badInput);
  });

  it('is bad input for every code that begins with invalid-', () => {
    const error = Object.assign(new Error('x.yaml: limits[0].rate is "", expected N/period'), {
      code: 'invalid-policy',
    });
    expect(describeError(error)).toEqual({ message: error.message, exitCode: EXIT.badInput });
  });

  it('keeps its stack when the harness is at fault', () => {
    const { message, exitCode } = describeError(
      Object.assign(new Error('fs.readFile'), { code: 'escape' }),
    );
    expect(exitCode).toBe(EXIT.harnessFault);
    expect(message).toContain('input-error.test.ts');
  });

  it('shortens a long value', () => {
    const error = new InputError({
      file: 'f',
      path: 'p',
      value: 'x'.repeat(5000),
      expected: 'less',
    });
    expect(error.message.length).toBeLessThan(300);
  });
});
