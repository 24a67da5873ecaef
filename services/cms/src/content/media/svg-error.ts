/** What a strict reading of the document met, in words for people. */
export class SvgError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'SvgError'
  }
}
