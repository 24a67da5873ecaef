import { hashPassword } from '@stoa/kit/crypto/password.ts'
import { memberOf, must } from '../../faults/outcomes.ts'
import { openLook } from '../../faults/table.ts'
import { KEY } from '../delivery/key.ts'
import { OWNER_EMAIL } from '../delivery/seed.ts'
import { passage } from '../delivery/text.ts'
import type { Work } from './steady.ts'

const PASSWORD = 'the pass phrase of a bench'
const CACHED_PAGES = 20

/** Visitors of a site, and people who write. */
export const cmsWork = async (url: string, databaseUrl: string): Promise<Work[]> => {
  const look = openLook(databaseUrl)
  await look.rows('update account set password_hash = $1', [await hashPassword(PASSWORD)])
  const drafts = await look.rows<{ id: string }>(`select id from entry where status = 'draft'`)
  await look.close()
  const signIn = { method: 'POST', body: { email: OWNER_EMAIL, password: PASSWORD } }
  const token = memberOf(await must(`${url}/api/auth/login`, signIn), 'token')
  const read = (path: string) => must(`${url}/content/${path}`, { headers: { 'x-api-key': KEY } })
  const save = (number: number) => {
    const body = { title: `Draft ${number}`, data: { summary: `Number ${number}`, body: passage(number) } }
    return must(`${url}/api/entries/${drafts[number % drafts.length]?.id}`, { method: 'PUT', token, body })
  }
  const work = (name: string, perSecond: number, act: (number: number) => Promise<unknown>): Work => ({
    name,
    perSecond,
    open: async () => ({ act }),
  })
  return [
    work('CMS, read from memory', 20, (number) => read(`post?limit=${1 + (number % CACHED_PAGES)}`)),
    // Each is asked for once, so that none is in memory.
    work('CMS, read from the database', 20, (number) => read(`post/post-${1 + number}?include=terms,author`)),
    work('CMS, save a draft', 5, save),
  ]
}
