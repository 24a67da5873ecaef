import { readFrom } from '../../../wire/smtp/smtp.ts'
import { textOf } from '../arguments.ts'
import { capabilitiesText } from '../capabilities.ts'
import { write } from '../output.ts'
import { bye, no, ok, stringText } from '../replies.ts'
import { type Command, ConnectionClosed, type ManageSieveSession } from '../session.ts'

/** RFC 5804 §2.4. */
export const capability: Command = {
  name: 'CAPABILITY',
  isOpen: true,
  takes: [],
  async run(session) {
    await write(session, capabilitiesText(session))
    return ok('Capabilities listed.')
  },
}

/** RFC 5804 §2.13: an answer by which a client finds its place. */
export const noop: Command = {
  name: 'NOOP',
  isOpen: true,
  takes: ['?', 'string'],
  run: async (_session, [tag]) => ok('Done.', tag ? `TAG ${stringText(textOf(tag))}` : undefined),
}

/** RFC 5804 §2.3. */
export const logout: Command = {
  name: 'LOGOUT',
  isOpen: true,
  takes: [],
  async run(session) {
    await write(session, 'OK "Bye."\r\n')
    throw new ConnectionClosed('logged out')
  },
}

/** RFC 5804 §2.14. */
export const unauthenticate: Command = {
  name: 'UNAUTHENTICATE',
  takes: [],
  async run(session) {
    signOut(session)
    return ok('Signed out.')
  },
}

export const signOut = (session: ManageSieveSession): void => {
  session.leave?.()
  session.leave = null
  session.signIn = null
}

/** RFC 5804 §2.2. */
export const startTls: Command = {
  name: 'STARTTLS',
  isOpen: true,
  takes: [],
  async run(session) {
    const { startTls: begin, socket, input } = session
    if (!begin || session.signIn) return no('STARTTLS is not available.')
    // CVE-2021-33515: what came before the handshake is forgotten.
    input.detach()
    await write(session, 'OK "Begin TLS negotiation now."\r\n')
    const secured = await begin(socket).catch((error: unknown) => {
      session.parts.log.debug({ err: error }, 'a TLS handshake failed')
      throw new ConnectionClosed('no TLS', { cause: error })
    })
    session.socket = secured
    session.input = readFrom(secured, session.ending)
    session.startTls = null
    session.isSecure = true
    // The capabilities are sent again without a request.
    await write(session, capabilitiesText(session))
    return ok('TLS is active.')
  },
}

export const STOPPING = bye('The server is shutting down. Try again later.', 'TRYLATER')
