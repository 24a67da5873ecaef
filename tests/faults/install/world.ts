/** What the outside reports once it is ready. */
export type World = {
  /** Of the certificate authority. */
  readonly directory: string
  /** Whom to trust for its https. */
  readonly ca: string
  /** Whom clients of its certificates trust. */
  readonly root: string
}

export type OutsideRequest =
  | { readonly ask: 'ports'; readonly address: string; readonly ports: readonly number[] }
  | { readonly ask: 'mail'; readonly address: string; readonly recipient: string }
