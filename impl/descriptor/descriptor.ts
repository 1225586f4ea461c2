// What a check is about: who asks, and for what. Built by the caller after authentication; the
// limiter believes it.

/** Every part is optional; a limit's `key` and `match` say which parts it looks at. */
export interface Descriptor {
  readonly tenant?: string | undefined;
  readonly user?: string | undefined;
  /** A credential. It never reaches the store in the clear: its hash does. */
  readonly token?: string | undefined;
  readonly method?: string | undefined;
  /** The request's path. Normalised before it is matched against route templates. */
  readonly route?: string | undefined;
  readonly operation?: string | undefined;
  readonly region?: string | undefined;
  /** The client's IP address. IPv6 is keyed by its /64, IPv4-mapped IPv6 as IPv4. */
  readonly address?: string | undefined;
}
