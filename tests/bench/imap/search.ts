import { setTimeout } from 'node:timers/promises'
import type { Goals } from '../goals.ts'
import { costOf } from '../measured.ts'
import type { BenchClient } from './client.ts'
import { deliver, type ImapSeed, letter, makePerson, type Person } from './seed.ts'
import { type ImapServer, signedIn } from './server.ts'

const PEOPLE = 10
/** That wait for the index when it begins. */
const WAITING = 500
const SECONDS = 12
/** Of each of them, after every fourth command. */
const PAUSE_MS = 200
const SEARCH_GOAL = 100
const NOTICE_GOAL = 150

/** Ten people search what has just come while it goes into the index, more comes, and others wait for it in IDLE. */
export const runSearch = async (ground: ImapSeed, server: ImapServer, goals: Goals): Promise<void> => {
  const people: Person[] = []
  let number = 0
  for (let n = 0; n < PEOPLE; n += 1) people.push(await makePerson(ground))
  for (const person of people)
    for (let n = 0; n < WAITING; n += 1) {
      number += 1
      await deliver(ground, person, number)
    }
  await ground.database.pool.query('analyze')
  const open = () => Promise.all(people.map(({ email }) => selected(server, email)))
  const [busy, listening] = [await open(), await open()]
  const end = performance.now() + SECONDS * 1_000
  const notices = people.map((person, index) => waitForNotices(listening[index], person, end))
  const searches: number[] = []
  await server.index('on')
  const { line } = await costOf([server], async () => {
    const all = people.map((person, index) => beBusy(busy[index], person, { end, first: index * WAITING, searches }))
    return (await Promise.all(all)).reduce((sum, each) => sum + each, 0)
  })
  const delays = (await Promise.all(notices)).flat().flatMap(delayOf)
  for (const client of [...busy, ...listening]) client.close()
  if (delays.length === 0) throw new Error('nobody in IDLE was notified')
  goals.check(
    `SEARCH by ${PEOPLE} people while ${PEOPLE * WAITING} messages go into the index: p50 ${at(searches, 0.5)} ms, ` +
      `p99 ${at(searches, 0.99)} ms; each command with its part of indexing ${line}`,
    Number(at(searches, 0.99)),
    SEARCH_GOAL,
  )
  goals.check(
    `meanwhile, from APPEND to a notice in IDLE, ${delays.length} notices: p50 ${at(delays, 0.5)} ms, p99 ${at(delays, 0.99)} ms`,
    Number(at(delays, 0.99)),
    NOTICE_GOAL,
  )
  await server.index('once')
}

const selected = async (server: ImapServer, email: string): Promise<BenchClient> => {
  const client = await signedIn(server, email)
  await client.say('select inbox')
  return client
}

/** When each APPEND to a mailbox began, the first one first. */
const begun = new Map<string, number[]>()

/** Every fourth command adds a message; it must be found by the next one. Gives how many commands there were. */
const beBusy = async (
  client: BenchClient | undefined,
  { addressId }: Person,
  { end, first, searches }: { end: number; first: number; searches: number[] },
): Promise<number> => {
  if (!client) return 0
  const times: number[] = []
  begun.set(addressId, times)
  let commands = 0
  for (let n = 0; performance.now() < end; n += 1) {
    const number = 1_000_000 + first + n
    const message = letter(number)
    times.push(performance.now())
    await client.say(`append inbox {${message.length}+}\r\n${message}`)
    for (const wanted of [number, first + 1 + (n % WAITING), first + 1 + ((n * 7) % WAITING)]) {
      const started = performance.now()
      await findOne(client, wanted)
      searches.push(performance.now() - started)
    }
    commands += 4
    await setTimeout(PAUSE_MS)
  }
  return commands
}

const findOne = async (client: BenchClient, number: number): Promise<void> => {
  const answer = await client.say(`uid search body "number${number}end"`, { isKept: true })
  if (!/\* SEARCH \d+\r\n/.test(answer)) throw new Error(`message ${number} was not found: ${answer}`)
}

type Notice = { addressId: string; exists: number; at: number }

/** What a client in IDLE receives about new messages. */
const waitForNotices = async (
  client: BenchClient | undefined,
  { addressId }: Person,
  end: number,
): Promise<Notice[]> => {
  if (!client) return []
  client.socket.write('i idle\r\n')
  await client.nextAnswer()
  const notices: Notice[] = []
  while (performance.now() < end) {
    const text = await Promise.race([client.nextAnswer(), setTimeout(end - performance.now(), '')])
    for (const [, exists] of text.matchAll(/\* (\d+) EXISTS/g))
      notices.push({ addressId, exists: Number(exists), at: performance.now() })
  }
  return notices
}

/** With the APPEND itself: nobody outside knows when it was committed. */
const delayOf = ({ addressId, exists, at }: Notice): number[] => {
  const since = begun.get(addressId)?.[exists - WAITING - 1]
  return since === undefined ? [] : [at - since]
}

const at = (times: readonly number[], part: number): string => {
  const sorted = times.toSorted((one, other) => one - other)
  return (sorted[Math.floor((sorted.length - 1) * part)] ?? 0).toFixed(1)
}
