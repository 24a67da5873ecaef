import type { Goals } from '../goals.ts'
import { type Cost, costOf, medianCost } from '../measured.ts'
import { fillMailbox } from '../store/seed.ts'
import { type ImapSeed, makePerson } from './seed.ts'
import { type ImapServer, signedIn } from './server.ts'

const LARGE = 100_000
const ROUNDS = 7
const SELECT_GOAL = 30
const FETCH_GOAL = 400

/** A folder of a hundred thousand messages. */
export const runLarge = async (ground: ImapSeed, server: ImapServer, goals: Goals): Promise<void> => {
  const person = await makePerson(ground)
  await fillMailbox(ground, person, LARGE)
  await ground.database.pool.query('vacuum analyze')
  const client = await signedIn(server, person.email)
  await client.say('enable qresync')
  const cost = (...commands: readonly string[]) =>
    costOf([server], async () => {
      for (const command of commands) await client.say(command)
      return 1
    })
  const check = (what: string, { total, line }: Cost, goal: number) =>
    goals.check(`${what} of ${LARGE} messages: ${line}`, total, goal)
  check('the first SELECT', await cost('select inbox'), FETCH_GOAL)
  check('SELECT', await middle(() => cost('select inbox')), SELECT_GOAL)

  const text = await client.say('select inbox', { isKept: true })
  const validity = /UIDVALIDITY (\d+)/.exec(text)?.[1]
  const modseq = /HIGHESTMODSEQ (\d+)/.exec(text)?.[1]
  await client.say('uid store 50000:50020 +flags.silent (\\Flagged)')
  await client.say('uid store 60000:60009 +flags.silent (\\Deleted)')
  await client.say('uid expunge 60000:60009')
  const qresync = await middle(() => cost(`select inbox (qresync (${validity} ${modseq}))`))
  check('SELECT with QRESYNC and 31 changes', qresync, 2 * SELECT_GOAL)

  const before = await server.rss()
  check('the first FETCH 1:* FLAGS', await cost('fetch 1:* flags'), FETCH_GOAL)
  check('FETCH 1:* FLAGS', await middle(() => cost('fetch 1:* flags')), FETCH_GOAL)
  process.stdout.write(`memory ${mb(before)} MB before, ${mb(await server.rss())} MB after\n`)
  check('SEARCH UNSEEN', await middle(() => cost('uid search unseen')), SELECT_GOAL)
  client.close()
}

const middle = async (measure: () => Promise<Cost>): Promise<Cost> => {
  const costs: Cost[] = []
  for (let round = 0; round < ROUNDS; round += 1) costs.push(await measure())
  return medianCost(costs)
}

const mb = (bytes: number): string => (bytes / 2 ** 20).toFixed(0)
