import type { Goals } from '../goals.ts'
import { costOf } from '../measured.ts'
import { createPace, type Pace } from '../pace.ts'
import type { BenchClient } from './client.ts'
import { type ImapSeed, makePerson } from './seed.ts'
import { type ImapServer, signedIn } from './server.ts'

const CLIENTS = 10
const SECONDS = 12
const WARM_UP_SECONDS = 10
const MESSAGE = `From: ann@example.org\r\nTo: bob@example.test\r\nSubject: Bench\r\n\r\n${'Some words of a mail.\r\n'.repeat(100)}`

/** What a client does next, and how often in a hundred. */
const MIX: readonly [weight: number, say: (client: BenchClient, state: State) => Promise<unknown>][] = [
  [20, (client, state) => append(client, state)],
  [20, (client) => client.say('fetch * (uid flags envelope internaldate rfc822.size)')],
  [15, (client) => client.say('fetch * body.peek[]')],
  [15, (client) => client.say('store * +flags (\\Seen)')],
  [8, (client) => client.say('store * flags (\\Answered $Bench)')],
  [5, (client) => client.say('uid search unseen')],
  [5, (client) => client.say('status inbox (messages unseen)')],
  [5, (client) => client.say('noop')],
  [4, (client) => client.say('store 1 +flags.silent (\\Deleted)')],
  [3, (client) => client.say('expunge')],
]

const TURNS = MIX.flatMap(([weight, say]) => Array.from({ length: weight }, () => say))

type State = { appends: number; commands: number }

const GOAL = 2

/** Ten clients on one mailbox, as imaptest does it, and on one each; then all that they added goes into the index. */
export const runMixed = async (ground: ImapSeed, server: ImapServer, goals: Goals): Promise<void> => {
  for (const mailboxes of [1, CLIENTS]) {
    const people = []
    for (let n = 0; n < mailboxes; n += 1) people.push(await makePerson(ground))
    const clients: BenchClient[] = []
    for (let n = 0; n < CLIENTS; n += 1) clients.push(await signedIn(server, people[n % mailboxes]?.email ?? ''))
    const state: State = { appends: 0, commands: 0 }
    for (const client of clients.slice(0, mailboxes)) for (let n = 0; n < 50; n += 1) await append(client, state)
    for (const client of clients) await client.say('select inbox')
    // Until it is compiled, and PostgreSQL knows what is in the tables, which it finds out by itself once a minute.
    await workFor(clients, state, WARM_UP_SECONDS)
    await ground.database.pool.query('vacuum analyze')
    await workFor(clients, state, WARM_UP_SECONDS / 5)
    const before = { ...state }
    const { total, line } = await costOf([server], async () => {
      await workFor(clients, state, SECONDS)
      return state.commands - before.commands
    })
    const rate = (count: number) => (count / SECONDS).toFixed(0)
    goals.check(
      `mixed load of ${CLIENTS} clients on ${mailboxes} mailboxes: ${line} each, ` +
        `${rate(state.commands - before.commands)} commands/s, ${rate(state.appends - before.appends)} APPEND/s`,
      total,
      GOAL,
    )
    for (const client of clients) client.close()
    const indexing = await costOf([server], async () => {
      await server.index('once')
      return state.appends
    })
    process.stdout.write(`each of ${state.appends} messages into the index afterwards: ${indexing.line}\n`)
  }
}

/**
 * Clients that are signed in somewhere, each ready for the mix; every call works for so long and gives the commands. Without
 * `perSecond`, for all of them together, each sends one after the other.
 */
export const openMix = async (clients: readonly BenchClient[]) => {
  const state: State = { appends: 0, commands: 0 }
  for (const client of clients) {
    for (let n = 0; n < 50; n += 1) await append(client, state)
    await client.say('select inbox')
  }
  return async (seconds: number, perSecond?: number): Promise<number> => {
    const before = state.commands
    await workFor(clients, state, seconds, perSecond)
    return state.commands - before
  }
}

const workFor = async (
  clients: readonly BenchClient[],
  state: State,
  seconds: number,
  perSecond?: number,
): Promise<void> => {
  const end = performance.now() + seconds * 1_000
  const pace = createPace(perSecond)
  await Promise.all(clients.map((client, index) => work(client, state, { end, seed: index + 1, pace })))
}

type Work = { end: number; seed: number; pace: Pace }

const work = async (client: BenchClient, state: State, { end, seed, pace }: Work): Promise<void> => {
  let random = seed
  while (performance.now() < end) {
    await pace()
    random = (random * 1_103_515_245 + 12_345) % 2 ** 31
    await TURNS[Math.floor((random / 2 ** 31) * TURNS.length)]?.(client, state)
    state.commands += 1
  }
}

const append = async (client: BenchClient, state: State): Promise<void> => {
  await client.say(`append inbox {${MESSAGE.length}+}\r\n${MESSAGE}`)
  state.appends += 1
}
