import { setTimeout } from 'node:timers/promises'
import type { Goals } from '../goals.ts'
import { type Cost, costOf, medianCost } from '../measured.ts'
import { fillMailbox } from '../store/seed.ts'
import type { BenchClient } from './client.ts'
import { type ImapSeed, letter, makePerson } from './seed.ts'
import { type ImapServer, signedIn } from './server.ts'

const LARGE = 100_000
const ROUNDS = 7
const SELECT_GOAL = 30
const FETCH_GOAL = 400
const GONE = '60000:60009'
const LEFT = LARGE - 10

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
  await client.say(`uid store ${GONE} +flags.silent (\\Deleted)`)
  await client.say(`uid expunge ${GONE}`)
  const qresync = await middle(() => cost(`select inbox (qresync (${validity} ${modseq}))`))
  check('SELECT with QRESYNC and 31 changes', qresync, 2 * SELECT_GOAL)

  const before = await server.rss()
  check('the first FETCH 1:* FLAGS', await cost('fetch 1:* flags'), FETCH_GOAL)
  check('FETCH 1:* FLAGS', await middle(() => cost('fetch 1:* flags')), FETCH_GOAL)
  process.stdout.write(`memory ${mb(before)} MB before, ${mb(await server.rss())} MB after\n`)
  check('SEARCH UNSEEN', await middle(() => cost('uid search unseen')), SELECT_GOAL)
  await appendWhileCopied(client, await signedIn(server, person.email), goals)
  client.close()
}

/** A copy of everything holds its mailbox for long: what is written meanwhile waits, or is asked to come back. */
const appendWhileCopied = async (copier: BenchClient, writer: BenchClient, goals: Goals): Promise<void> => {
  await copier.say('create everything')
  let isCopied = false
  const began = performance.now()
  const copying = copier.say('copy 1:* everything').finally(() => {
    isCopied = true
  })
  const answers: string[] = []
  let longest = 0
  for (let number = 0; !isCopied; number += 1) {
    const bytes = letter(number)
    const sent = performance.now()
    answers.push(await writer.answerTo(`append inbox {${bytes.length}+}\r\n${bytes}`))
    longest = Math.max(longest, performance.now() - sent)
    await setTimeout(100)
  }
  await copying
  const seconds = (performance.now() - began) / 1_000
  const taken = answers.filter((answer) => answer.startsWith('OK')).length
  const busy = answers.filter((answer) => answer.startsWith('NO [INUSE]')).length
  const others = answers.length - taken - busy
  const held = /(\d+) EXISTS/.exec(await writer.say('select inbox', { isKept: true }))?.[1]
  const copied = /(\d+) EXISTS/.exec(await writer.say('select everything', { isKept: true }))?.[1]
  const missing = Math.abs(LEFT + taken - Number(held)) + Math.max(0, LEFT - Number(copied))
  goals.check(
    `answers to APPEND during a COPY of ${LARGE} messages that are neither OK nor INUSE: ${others}; ${taken} taken and ` +
      `${busy} INUSE in ${seconds.toFixed(1)} s, the longest after ${(longest / 1_000).toFixed(1)} s`,
    others,
    0,
  )
  goals.check(`messages of these that are not there: ${missing}`, missing, 0)
  writer.close()
}

const middle = async (measure: () => Promise<Cost>): Promise<Cost> => {
  const costs: Cost[] = []
  for (let round = 0; round < ROUNDS; round += 1) costs.push(await measure())
  return medianCost(costs)
}

const mb = (bytes: number): string => (bytes / 2 ** 20).toFixed(0)
