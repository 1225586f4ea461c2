// The store key of a bucket: `<prefix>:{<tenant>}:<limit id>:<state version>:<other dimensions>`.
// The braces are Redis Cluster's hash tag: all limits of one tenant live in one slot. A limit that is
// not kept by tenant has an empty tag, and Cluster then spreads its keys by the whole key.

import type { Descriptor } from '../descriptor/descriptor.ts';
import { normaliseAddress } from '../descriptor/normalise-address.ts';
import { normaliseRoute } from '../descriptor/normalise-route.ts';
import type { CompiledLimit } from '../policy/policy-set.ts';
import type { Dimension } from '../policy/schema.ts';
import { encodePart, encodeSecret } from './encode-part.ts';

type PartEncoder = (descriptor: Descriptor) => string;

/** Compiles the key of one limit. The returned function is called once per check. */
export function createKeyEncoder(prefix: string, limit: CompiledLimit): PartEncoder {
  const parts = limit.key
    .filter((dimension) => dimension !== 'tenant')
    .map((dimension) => createPartEncoder(dimension, limit));
  const head = `${prefix}:{`;
  const middle = `}:${limit.id}:${limit.stateVersion}`;
  if (!limit.key.includes('tenant')) {
    return (descriptor) => appendParts(`${head}${middle}`, parts, descriptor);
  }
  return (descriptor) =>
    appendParts(`${head}${encodePart(descriptor.tenant)}${middle}`, parts, descriptor);
}

function appendParts(start: string, parts: readonly PartEncoder[], descriptor: Descriptor): string {
  let key = start;
  for (const part of parts) {
    key += `:${part(descriptor)}`;
  }
  return key;
}

function createPartEncoder(dimension: Dimension, limit: CompiledLimit): PartEncoder {
  switch (dimension) {
    case 'token':
      return (descriptor) => encodeSecret(descriptor.token);
    case 'method':
      return (descriptor) => encodePart(descriptor.method?.toUpperCase());
    case 'address':
      return ({ address }) =>
        encodePart(address === undefined ? address : normaliseAddress(address));
    case 'route': {
      // Under a template all its paths are one route; without one the path itself is the route.
      const template = limit.route === undefined ? undefined : encodePart(limit.route);
      return ({ route }) =>
        template ?? encodePart(route === undefined ? route : normaliseRoute(route));
    }
    case 'tenant':
    case 'user':
    case 'operation':
    case 'region':
      return (descriptor) => encodePart(descriptor[dimension]);
  }
}
