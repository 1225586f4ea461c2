// Replaces a function of the platform by a wrapper that looks like it. The wrappers stand in
// for functions of many signatures, so this is where types give way.

export type AnyFunction = (...values: unknown[]) => unknown;
/** Any function at all may stand in; its callers know its signature. */
export type Wrapper = (...values: never[]) => unknown;

export function isFunction(value: unknown): value is AnyFunction {
  return typeof value === 'function';
}

/** Replaces `target[name]`; the wrapper keeps the original's name, length and own properties. */
export function replace(
  target: object,
  name: string,
  wrap: (original: AnyFunction) => Wrapper,
): void {
  const original: unknown = Reflect.get(target, name);
  if (!isFunction(original)) return;
  const wrapper = wrap(original);
  for (const key of Reflect.ownKeys(original)) {
    const descriptor = Reflect.getOwnPropertyDescriptor(original, key);
    if (descriptor !== undefined && key !== 'prototype') {
      Reflect.defineProperty(wrapper, key, { ...descriptor, configurable: true });
    }
  }
  defineValue(target, name, wrapper);
}

/** Defines `target[name]` as Node defines its functions: writable and configurable. */
export function defineValue(target: object, name: string, value: unknown): void {
  const present = Reflect.getOwnPropertyDescriptor(target, name);
  Object.defineProperty(target, name, {
    value,
    writable: true,
    configurable: true,
    enumerable: present?.enumerable ?? false,
  });
}
