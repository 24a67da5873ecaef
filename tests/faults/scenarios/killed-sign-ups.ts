import { setTimeout as sleep } from 'node:timers/promises'
import { serviceDatabase } from '@stoa/tests/lib/service-database.ts'
import { call, type Outcome, type Report } from '../outcomes.ts'
import { startService } from '../service-process.ts'

const CLIENTS = 4
/** Where nobody listens the answer comes at once, for as long as a start takes. */
const PAUSE_MS = 50

/** Sign-ups while the mail service is killed: an account answered with "created" can sign in, and there is one owner. */
export const killedSignUps = async ({ kills = 20 } = {}): Promise<Report> => {
  const database = await serviceDatabase('mail')
  const service = await startService('mail', { MAIL_DATABASE_URL: database.url, TRUSTED_PROXIES: '127.0.0.1' })
  const acknowledged: string[] = []
  let owners = 0
  let sent = 0
  const signal = new AbortController()
  const signUps = Array.from({ length: CLIENTS }, async () => {
    while (!signal.signal.aborted) {
      sent += 1
      const email = `person${sent}@example.test`
      const outcome = await mailCall(`${service.url}/api/auth/signup`, email, sent)
      if (outcome.status === 201) acknowledged.push(email)
      if (Reflect.get(Object(outcome.body), 'role') === 'owner') owners += 1
      await sleep(PAUSE_MS)
    }
  })
  // A busy machine may need longer for its first answer than the time between two kills.
  while (acknowledged.length === 0) await sleep(20)
  for (let kill = 0; kill < kills; kill += 1) {
    await sleep(100 + Math.random() * 400)
    await service.kill()
    await service.restart()
  }
  signal.abort()
  await Promise.all(signUps)
  const broken: string[] = []
  for (const [at, email] of acknowledged.entries()) {
    const { status } = await mailCall(`${service.url}/api/auth/login`, email, 100_000 + at)
    if (status !== 200) broken.push(`${email} was created but cannot sign in (${status})`)
  }
  if (owners > 1) broken.push(`${owners} accounts were told that they own the instance`)
  await service.stop()
  await database.drop()
  return { figures: { kills, sent, acknowledged: acknowledged.length, owners }, broken }
}

/** Each from an address of its own, so that sign-in limits do not slow the scenario. */
const mailCall = (url: string, email: string, address: number): Promise<Outcome> =>
  call(url, {
    method: 'POST',
    body: { email, password: 'correct horse battery' },
    headers: { 'x-forwarded-for': `198.18.${(address >> 8) & 255}.${address & 255}` },
  })
