import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Database, openDatabase } from '@stoa/kit/db/database.ts'
import { createLogger } from '@stoa/kit/log.ts'
import type { Tables } from '@stoa/mail/tables.ts'
import { serviceDatabase } from '../../lib/service-database.ts'
import { type FakeStripe, type StripeEvent, startFakeStripe } from '../../lib/stripe/stripe.ts'
import { ACTIONS, type Action } from '../billing/actions.ts'
import { checkBooks } from '../billing/books.ts'
import { openPayer, type Payer, payersOf } from '../billing/payers.ts'
import type { Outcome, Report } from '../outcomes.ts'
import { until } from '../readiness.ts'
import { type ServiceProcess, startService } from '../service-process.ts'

const SECRET = 'whsec_faults'
const SETTLE_MS = 120_000
/** A request to change something is some fifteen to the provider; the worker's reading is eight. */
const MAX_STEP = 16
/** What is done after the process was killed may happen at the provider while the next one looks. */
const LATE_MS = 300

type Round = { payer: Payer; action: Action; isAnswered: boolean }

/**
 * The service is killed before, while and after the provider does each of the things that it is asked for. The client
 * retries; callbacks come in any order, twice, or to nobody. In the end what was taken at the provider is what stands
 * here, nobody has paid twice or has two subscriptions, and every account has the plan that it pays for.
 */
export const billing = async ({ kills = 200 } = {}): Promise<Report> => {
  const own = await serviceDatabase('mail')
  const folder = await mkdtemp(join(tmpdir(), 'stoa-faults-'))
  const stripe = await startFakeStripe()
  const service = await startService('mail', {
    MAIL_DATABASE_URL: own.url,
    DATA_DIR: folder,
    MAIL_ROLES: 'http,worker',
    MAIL_HOSTNAME: 'mx.stoa.test',
    RATE_LIMIT_PER_SECOND: '100000',
    BILLING: 'on',
    STRIPE_SECRET_KEY: stripe.secretKey,
    STRIPE_WEBHOOK_SECRET: SECRET,
    STRIPE_API_BASE: stripe.url,
  })
  const log = createLogger({ name: 'faults', level: 'silent' })
  const database = openDatabase<Tables>({ url: own.url, poolSize: 2, log })
  stripe.sendTo({ url: `${service.url}/api/webhooks/payments`, secrets: [SECRET] })
  const run: Run = { service, stripe, database, unsent: [], steps: new Map() }
  try {
    const payers = await payersOf(database, kills)
    const rounds: Round[] = []
    for (const [index, payer] of payers.entries()) rounds.push(await killOnce(run, payer, actionOf(index)))
    await settle(run, rounds)
    const { figures, broken } = await checkBooks({ stripe, database }, rounds)
    const exit = await service.stop()
    if (exit !== 0) broken.push(`the service ended with ${exit}`)
    return { figures: { kills, steps: run.steps.size, ...figures }, broken }
  } finally {
    await service.kill()
    await database.close()
    await stripe.close()
    await own.drop()
    await rm(folder, { recursive: true, force: true })
  }
}

type Run = {
  service: ServiceProcess
  stripe: FakeStripe
  database: Database<Tables>
  /** Callbacks that nobody took. */
  unsent: StripeEvent[]
  /** Which requests the process was killed at, and how often. */
  steps: Map<string, number>
}

const actionOf = (index: number): Action => ACTIONS[index % ACTIONS.length] ?? ACTIONS[0]

const killOnce = async (run: Run, payer: Payer, action: Action): Promise<Round> => {
  const { service, stripe } = run
  await openPayer({ url: service.url, stripe, payer }, action.needs)
  const trap = setTrap(stripe)
  const asked = action.run({ url: service.url, stripe, payer })
  const first = await Promise.race([asked, trap.sprung])
  const isSprung = typeof first === 'string'
  // The worker goes on with it after the answer.
  const step = isSprung ? first : await Promise.race([trap.sprung, sleep(LATE_MS, 'answered')])
  run.steps.set(step, (run.steps.get(step) ?? 0) + 1)
  await service.kill()
  if (trap.mode !== 'late') trap.release()
  const outcome = await asked
  await service.restart()
  if (trap.mode === 'late') setTimeout(trap.release, Math.random() * LATE_MS)
  await deliver(run)
  return { payer, action, isAnswered: isDone(outcome) }
}

const isDone = ({ status }: Outcome): boolean => status !== 'cut' && status < 500

type Trap = { mode: 'before' | 'after' | 'late'; sprung: Promise<string>; release(): void }

/** Stops the provider at one of the next requests: before it does it, when it has, or so that it does it later. */
const setTrap = (stripe: FakeStripe): Trap => {
  const mode = (['before', 'after', 'late'] as const)[Math.floor(Math.random() * 3)] ?? 'after'
  const sprung = Promise.withResolvers<string>()
  const released = Promise.withResolvers<void>()
  let left = 1 + Math.floor(Math.random() * MAX_STEP)
  let isReleased = false
  const hold = () => (isReleased ? Promise.resolve() : released.promise)
  stripe.fail({
    match: ({ method, path }) => {
      if (isReleased) return false
      left -= 1
      if (left === 0) sprung.resolve(`${mode} ${method} ${path.replace(/\/[a-z]+_[A-Za-z0-9_]{8,}/g, '/:id')}`)
      return left === 0
    },
    ...(mode === 'before' && { cut: 'before' as const, delayMs: LATE_MS }),
    ...(mode === 'after' && { answerUntil: hold }),
    ...(mode === 'late' && { until: hold }),
  })
  return {
    mode,
    sprung: sprung.promise,
    release() {
      isReleased = true
      released.resolve()
    },
  }
}

/** In any order, some twice; those that fail are sent again later, as the provider does for days. */
const deliver = async ({ stripe, unsent }: Run): Promise<void> => {
  const again = unsent.splice(0)
  const shuffled = Math.floor(Math.random() * 1_000_000)
  const sent = await stripe.deliver({ order: { shuffled }, times: Math.random() < 0.3 ? 2 : 1 })
  for (const event of again) sent.push(await stripe.redeliver(event))
  for (const { event, status } of sent) if (status !== 200) unsent.push(event)
}

/** A client without an answer retries until there is one; then all that waits is read. */
const settle = async (run: Run, rounds: readonly Round[]): Promise<void> => {
  const { service, stripe, database } = run
  // A lock of a process that is gone ends after a minute.
  await database.pool.query('update billing_change set held_until = now()')
  for (const { payer, action, isAnswered } of rounds) {
    if (isAnswered) continue
    const ask = () => action.run({ url: service.url, stripe, payer })
    await until(`${action.name} is answered`, async () => isDone(await ask()), { limitMs: SETTLE_MS, everyMs: 500 })
  }
  for (const { payer, action } of rounds) await action.finish?.({ url: service.url, stripe, payer })
  await until(
    'all callbacks are taken',
    async () => {
      await deliver(run)
      return run.unsent.length === 0 && stripe.pending.length === 0
    },
    { limitMs: SETTLE_MS },
  )
  // What failed meanwhile is tried again within the hour.
  await database.pool.query('update billing_customer set sync_due_at = now() where sync_attempts > 0')
  const isRead = async (): Promise<boolean> => {
    const { rows } = await database.pool.query(
      `select 1 from billing_customer where sync_due_at < now() + interval '10 minutes'`,
    )
    return rows.length === 0
  }
  await until('all customers are read', isRead, { limitMs: SETTLE_MS })
}
