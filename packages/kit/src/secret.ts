const MASK = '[secret]'

/** A value that may be used but never printed: text, JSON, template literals and `util.inspect` show `[secret]`. */
export class Secret<T = string> {
  readonly #value: T

  constructor(value: T) {
    this.#value = value
  }

  /** The value itself. Call it where it is used, and do not keep the result. */
  reveal(): T {
    return this.#value
  }

  toString(): string {
    return MASK
  }

  toJSON(): string {
    return MASK
  }

  [Symbol.toPrimitive](): string {
    return MASK
  }

  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return MASK
  }
}
