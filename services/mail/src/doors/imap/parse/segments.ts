/** A literal of a command. Large ones of commands that take messages are in the blob store already. */
export type Literal = {
  readonly size: number
  /** literal8: may hold NUL (RFC 9051 §4.3). */
  readonly isBinary: boolean
} & ({ readonly bytes: Buffer } | { readonly blob: { readonly key: string; readonly size: number } })

/** A command as it came: text of lines, each character one byte, and literals between them. */
export type Segment = string | Literal
