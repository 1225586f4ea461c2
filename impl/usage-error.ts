// A mistake of the programmer who calls the limiter: not a denial, and not a failure of the store.

export type UsageErrorCode = 'invalid-cost' | 'invalid-descriptor' | 'invalid-options';

/** Rejects a check, or is thrown by `createLimiter`, when an argument makes no sense. */
export class UsageError extends TypeError {
  readonly code: UsageErrorCode;

  constructor(code: UsageErrorCode, message: string) {
    super(message);
    this.name = 'UsageError';
    this.code = code;
  }
}
