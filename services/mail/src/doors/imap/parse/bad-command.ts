/** The client sent a command that is not valid IMAP: it is answered BAD and has no effect. */
export class BadCommand extends Error {
  override readonly name = 'BadCommand'
}

export const bad = (text: string): never => {
  throw new BadCommand(text)
}
