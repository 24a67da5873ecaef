import type { Db, Tx } from '@stoa/kit/db/database.ts'
import type { Bytes } from '../../formats/mime/mime.ts'
import type { Tables } from '../../tables.ts'
import type { RspamdAnswer } from '../../wire/scanners/scanners.ts'
import { confidence, spamProbability, type WordCount } from './bayes.ts'
import { contentReasons, type Reason } from './content-rules.ts'
import { readFacts, type SpamSource } from './facts.ts'
import {
  addTraining,
  addWords,
  findLearned,
  halveTraining,
  insertSample,
  lockSample,
  type TrainingVerdict,
  updateSample,
} from './queries.ts'
import { isAuthenticated, type Sender, senderReasons } from './sender-rules.ts'
import { newWords } from './words.ts'

export { contentReasons, type Reason } from './content-rules.ts'
export { type Facts, readFacts } from './facts.ts'
export { senderReasons } from './sender-rules.ts'

/** What a message gives the judge, read once for all recipients. */
export type SpamText = { readonly words: readonly number[]; readonly reasons: readonly Reason[] }

export type SpamVerdict = {
  readonly score: number
  readonly isSpam: (threshold: number) => boolean
  readonly reasons: readonly Reason[]
  /** The score of the mailbox's classifier, from 0 to 1; null when it has not learned enough. */
  readonly probability: number | null
  /** Ham that is worth learning: the mailbox was taught what spam is and has too little to compare it with. */
  readonly isTrainingSample: boolean
}

/** Words and traits of a message. The words are also what is learned from it. */
export const readSpamText = (read: SpamSource, bytes: Bytes, now: Date): SpamText => {
  const facts = readFacts(read, bytes, now)
  const reasons = contentReasons(facts)
  const words = newWords()
  const [local, domain] = splitEmail(facts.from?.email ?? '')
  words.add('from', `${local}@${domain}`)
  words.add('from', domain)
  words.addText('name', facts.from?.name ?? '')
  words.addText('subject', facts.subject)
  for (const { domain: linked } of facts.links) words.add('link', linked)
  for (const { name, type } of facts.files) words.add('file', /\.[a-z0-9]{1,8}$/.exec(name)?.[0] ?? type)
  for (const { name } of reasons) if (!VOLATILE.has(name)) words.add('trait', name)
  words.add('trait', `mailer ${facts.mailer.replace(/[\d.]+/g, '0').toLowerCase()}`)
  words.add('trait', facts.hasHtml ? 'html' : 'plain')
  words.addText('body', facts.text)
  const isEmpty = facts.subject.trim() === '' && facts.text.trim() === '' && facts.links.length === 0
  return { words: isEmpty ? [] : words.hashes(), reasons }
}

/** Traits that are other ones when the same message is read on another day: they could not be taken back. */
const VOLATILE: ReadonlySet<string> = new Set(['date_ahead', 'date_long_ago'])

/** Judges a message for a mailbox with one statement; with none when there are no words to compare. */
export const scoreMessage = async (
  db: Db<Tables>,
  input: { addressId: string; text: SpamText } & Sender,
): Promise<SpamVerdict> => {
  const { addressId, text, authenticity } = input
  const known = text.words.length === 0 ? null : await findLearned(db, addressId, text.words)
  const probability = known && spamProbability(known.words, known.learned)
  const reasons = [...text.reasons, ...senderReasons(input)]
  const byRules = sum(reasons)
  if (known && probability !== null) {
    const points = learnedPoints(probability, known.learned)
    if (points !== 0) reasons.push({ name: points > 0 ? 'learned_spam' : 'learned_ham', points })
  }
  const score = sum(reasons)
  return {
    score,
    isSpam: (threshold) => score >= threshold,
    reasons,
    probability,
    isTrainingSample:
      known !== null && isWanted(known.learned) && byRules < 1 && isAuthenticated(authenticity) && score < 1,
  }
}

/** Points of a judge outside added to ours. */
export const withReason = (verdict: SpamVerdict, reason: Reason): SpamVerdict => {
  const reasons = [...verdict.reasons, reason]
  const score = sum(reasons)
  return {
    ...verdict,
    score,
    reasons,
    isSpam: (threshold) => score >= threshold,
    isTrainingSample: verdict.isTrainingSample && score < 1,
  }
}

/** A reason that decides by itself, whatever the points are. */
export const withDecision = (verdict: SpamVerdict, reason: Reason, isSpam: boolean): SpamVerdict => ({
  ...withReason(verdict, reason),
  isSpam: () => isSpam,
})

/** A header field for readers and filters, as other judges write it. */
export const spamHeader = ({ score, isSpam, reasons }: SpamVerdict, threshold: number): string => {
  const tests = reasons.map(({ name, points }) => `${name}=${points}`)
  const lines: string[] = []
  for (let at = 0; at < tests.length; at += 3) lines.push(tests.slice(at, at + 3).join(','))
  const head = `${isSpam(threshold) ? 'Yes' : 'No'}, score=${score} required=${threshold}`
  return `X-Spam-Status: ${head}${lines.length > 0 ? `\r\n tests=${lines.join(',\r\n ')}` : ''}\r\n`
}

export type TrainingSample = {
  readonly addressId: string
  readonly blobKey: string
  readonly words: readonly number[]
  readonly verdict: TrainingVerdict
}

/**
 * Learns that a message is spam or not. The same sample twice is learned once; the opposite one takes the first back.
 * False when there was nothing new to learn.
 */
export const learn = async (tx: Tx<Tables>, sample: TrainingSample): Promise<boolean> => {
  const { addressId, blobKey, words, verdict } = sample
  if (words.length === 0) return false
  const isNew = await insertSample(tx, addressId, blobKey, verdict)
  const before = isNew ? null : await lockSample(tx, addressId, blobKey)
  if (before === verdict) return false
  if (!isNew) await updateSample(tx, addressId, blobKey, verdict)
  const change = { spam: 0, ham: 0 }
  change[verdict] += 1
  if (before !== null) change[before] -= 1
  const learned = await addTraining(tx, addressId, change)
  await addWords(tx, addressId, words, change)
  if (learned.spam + learned.ham >= MAX_SAMPLES) await halveTraining(tx, addressId)
  return true
}

/** Some ten thousand words each; then old samples begin to fade. */
const MAX_SAMPLES = 4_000
/** Automatic training takes no more ham than this. */
const ENOUGH_HAM = 200
/** Beyond the default threshold: what somebody threw away by hand again and again does not come back. */
const MOST_POINTS = 6
const LEAST_POINTS = -4

const isWanted = ({ spam, ham }: WordCount): boolean => ham < ENOUGH_HAM && ham < spam * 2

/** From the middle, where nothing is known, to both ends; steeper towards them. */
const learnedPoints = (probability: number, learned: WordCount): number => {
  const side = (probability - 0.5) * 2
  const strength = Math.abs(side) ** 1.5 * confidence(learned)
  return round(side > 0 ? strength * MOST_POINTS : strength * LEAST_POINTS)
}

const sum = (reasons: readonly Reason[]): number => round(reasons.reduce((total, { points }) => total + points, 0))

const round = (points: number): number => Math.round(points * 10) / 10

const splitEmail = (email: string): [local: string, domain: string] => {
  const at = email.lastIndexOf('@')
  return at === -1 ? [email.toLowerCase(), ''] : [email.slice(0, at).toLowerCase(), email.slice(at + 1).toLowerCase()]
}

/** Its points on our scale, where 5 is spam: it marks messages as spam from 6 on. */
export const rspamdReason = ({ score }: RspamdAnswer): Reason => ({
  name: 'rspamd',
  points: Math.round(Math.min(Math.max((score * 5) / 6, -5), 15) * 10) / 10,
})
