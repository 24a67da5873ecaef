/** What a client sent is no command of IMAP: it is answered BAD, and nothing happened. */
export class BadCommand extends Error {
  override readonly name = 'BadCommand'
}

export const bad = (text: string): never => {
  throw new BadCommand(text)
}
