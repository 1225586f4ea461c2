import { InvalidArgumentError } from 'commander';
import { describe, expect, it } from 'vitest';
import { parseClient, parseInteger, parseMinutes, parseSeed } from './option-parsers.ts';

describe('option values', () => {
  it('are whole numbers within their range, written in digits', () => {
    const parse = parseInteger(1, 64);
    expect(parse('1')).toBe(1);
    expect(parse('64')).toBe(64);
    for (const bad of [
      '0',
      '65',
      '-1',
      '1.5',
      '1e1',
      '0x1',
      '',
      ' 1',
      'NaN',
      '99999999999999999999',
    ]) {
      expect(() => parse(bad), bad).toThrow(InvalidArgumentError);
    }
  });

  it('are minutes above zero, fractions allowed', () => {
    expect(parseMinutes('0.25')).toBe(0.25);
    for (const bad of ['0', '-1', 'Infinity', '1e3', '']) {
      expect(() => parseMinutes(bad), bad).toThrow(InvalidArgumentError);
    }
  });

  it('are a seed or a drawn one', () => {
    expect(parseSeed('0')).toEqual({ seed: 0, isDrawn: false });
    const drawn = parseSeed('random');
    expect(drawn.isDrawn).toBe(true);
    expect(drawn.seed).toBeGreaterThan(0);
    expect(() => parseSeed('9007199254740993')).toThrow(InvalidArgumentError);
  });

  it('are a client that exists', () => {
    expect(parseClient('6')).toBe(6);
    expect(() => parseClient('4')).toThrow(InvalidArgumentError);
  });
});
