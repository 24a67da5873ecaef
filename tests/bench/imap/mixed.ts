import type { BenchClient } from './client.ts'

const CLIENTS = 10
const SECONDS = 12
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

/** Ten clients on one shared mailbox, as imaptest does it; how many commands, and a line with the rates. */
export const runMixed = async (open: () => Promise<BenchClient>): Promise<{ line: string; commands: number }> => {
  const clients = await Promise.all(Array.from({ length: CLIENTS }, open))
  const state: State = { appends: 0, commands: 0 }
  const [first] = clients
  for (let n = 0; first && n < 50; n += 1) await append(first, state)
  for (const client of clients) await client.say('select inbox')
  state.appends = 0
  const started = performance.now()
  const end = started + SECONDS * 1_000
  await Promise.all(clients.map((client, index) => work(client, state, { end, seed: index + 1 })))
  const seconds = (performance.now() - started) / 1_000
  for (const client of clients) client.close()
  const rate = (count: number) => (count / seconds).toFixed(0)
  const line =
    `mixed load of ${CLIENTS} clients on one mailbox: ${rate(state.commands)} commands/s (goal >= 600), ` +
    `${rate(state.appends)} APPEND/s (goal >= 120)`
  return { line, commands: state.commands }
}

const work = async (client: BenchClient, state: State, { end, seed }: { end: number; seed: number }): Promise<void> => {
  let random = seed
  while (performance.now() < end) {
    random = (random * 1_103_515_245 + 12_345) % 2 ** 31
    await TURNS[Math.floor((random / 2 ** 31) * TURNS.length)]?.(client, state)
    state.commands += 1
  }
}

const append = async (client: BenchClient, state: State): Promise<void> => {
  await client.say(`append inbox {${MESSAGE.length}+}\r\n${MESSAGE}`)
  state.appends += 1
}
