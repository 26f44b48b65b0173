/** Where a bus is, and what is reported of it. */
export interface BusOptions {
  /**
   * One or more servers with commas between, as `nats://user:password@host:4222`. `tls://` demands
   * TLS; `nats://` has it where the server offers it. A user without a password is a token.
   */
  readonly url: string
  /** a file of credentials, as NATS has them */
  readonly credentialsFile?: string | undefined
  /** PEM files */
  readonly caFile?: string | undefined
  readonly certificateFile?: string | undefined
  readonly keyFile?: string | undefined
  /** how the server's lists name this process */
  readonly name?: string
  /** the bus is away, and why; it is tried on */
  readonly onAway: (reason: string) => void
  readonly onBack: () => void
  /** what a subscriber throws, and what the server refuses */
  readonly onError: (error: unknown) => void
}
