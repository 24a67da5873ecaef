import { createTestClock } from '@stoa/kit/clock.ts'
import type { Database } from '@stoa/kit/db/database.ts'
import { parseCidr } from '@stoa/kit/http/client-address.ts'
import { createLogger } from '@stoa/kit/log.ts'
import { Secret } from '@stoa/kit/secret.ts'
import type { CredentialScope } from '../../../principal.ts'
import type { Tables } from '../../../tables.ts'
import { createCredentials } from '../credentials.ts'

/** Any moment will do; it stands still, so that limits are exact. */
export const START = new Date('2026-03-01T12:00:00.000Z')

/** The credentials of one process, with a clock of its own. `check` gives `ok` or why not. */
export const openCredentials = (database: Database<Tables>, { limitExempt = [] }: { limitExempt?: string[] } = {}) => {
  const lines: string[] = []
  const log = createLogger({ name: 'test', level: 'trace', destination: { write: (line) => void lines.push(line) } })
  const clock = createTestClock(START)
  const parts = { database, secret: new Secret('a secret of the tests'), clock, log }
  const credentials = createCredentials({ ...parts, limitExempt: limitExempt.map(parseCidr) })
  const check = async (email: string, password: string, more: { scope?: CredentialScope; ip?: string } = {}) => {
    const answer = await credentials.check({ email, password, scope: 'imap', ip: '192.0.2.1', ...more })
    return answer.ok ? 'ok' : answer.reason
  }
  return { credentials, clock, check, lines }
}
