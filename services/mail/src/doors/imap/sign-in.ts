import type { CredentialAnswer } from '../../hosting/addresses/addresses.ts'
import { type Completion, no, ok } from './command.ts'
import type { ImapSession } from './session.ts'

export const NEEDS_TLS: Completion = no('Encryption is required, use STARTTLS', 'PRIVACYREQUIRED')

/** Signs in the user that the answer names, or returns why not. */
export const finishSignIn = async (session: ImapSession, answer: CredentialAnswer): Promise<Completion> => {
  if (!answer.ok) {
    const closes = session.connection.failed()
    const refusal =
      answer.reason === 'limited'
        ? no('Too many failed sign-ins, try again in a few minutes', 'LIMIT')
        : no('Wrong address or password', 'AUTHENTICATIONFAILED')
    return { ...refusal, closes }
  }
  const { ok: _, ...signIn } = answer
  if (!(await session.connection.enter(signIn))) return no('Too many connections to this mailbox', 'LIMIT')
  session.signIn = signIn
  session.state = 'signedIn'
  return ok('Signed in', `CAPABILITY ${session.capabilities().join(' ')}`)
}

export const signInByPassword = async (
  session: ImapSession,
  { email, password }: { email: string; password: string },
): Promise<Completion> => {
  const { parts, ip } = session
  return finishSignIn(session, await parts.credentials.check({ email, password, scope: 'imap', ip }))
}
