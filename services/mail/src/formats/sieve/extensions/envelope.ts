import { parseAddress } from '../addresses.ts'
import { constants, keys, texts } from '../arguments.ts'
import type { Call } from '../compiled.ts'
import { defineExtension, type SplitAddress } from '../define.ts'
import { matchValues } from '../match/match.ts'
import { quoted, SieveRuntimeError } from '../problems.ts'
import type { Run } from '../run-state.ts'

const envelopeParts = ['from', 'to', 'auth'] as const

/** RFC 5228 §5.4. */
export const envelope = defineExtension({
  name: 'envelope',
  tests: {
    envelope: {
      positional: ['strings', 'strings'],
      matches: true,
      addressPart: true,
      check: (call) => partProblem(constants(call, 0)),
      test: (call, run) => {
        const names = texts(call, 0, run)
        const problem = partProblem(names)
        if (problem) throw new SieveRuntimeError(problem)
        const values = names.map((name) => partOf(call, name, run))
        return matchValues(
          call,
          values.filter((value) => value !== null),
          keys(call, run),
          run,
        )
      },
    },
  },
})

const partNamed = (name: string) => envelopeParts.find((known) => known === name.toLowerCase())

/** RFC 5228 §5.4: an unknown part is an error. */
const partProblem = (names: readonly string[]): string | null => {
  const wrong = names.find((name) => !partNamed(name))
  return wrong === undefined ? null : `${quoted(wrong)} isn't an envelope part; use "from" or "to"`
}

/** The null sender is the empty string, whatever part of it is asked for; a recipient cannot be nobody. */
const partOf = (call: Call, name: string, run: Run): string | null => {
  const part = partNamed(name)
  const value = part ? (run.chain.environment.envelope[part] ?? null) : null
  if (value === null || part === 'auth') return value
  if (value === '' || value === '<>') return part === 'from' ? '' : null
  const address = readPath(value)
  return call.addressPart ? call.addressPart(address, run) : address.all
}

const ROUTE = /^@[^\s@.,:]+(?:\.[^\s@.,:]+)*(?:,@[^\s@.,:]+(?:\.[^\s@.,:]+)*)*:/

/** A path of RFC 5321 §4.1.2, whose route counts for nothing (RFC 5228 §5.4). What is none stays as it is, without parts. */
const readPath = (value: string): SplitAddress => {
  const [, angle, bare] = /^(?:<([^<>]*)>|([^<>]*))$/.exec(value.trim()) ?? []
  const path = (angle ?? bare ?? '').replace(/[ \t]*([@.,:])[ \t]*/g, '$1').trim()
  const mailbox = path.replace(ROUTE, '')
  const address = /[,:;]/.test(mailbox) ? null : parseAddress(mailbox)
  if (address) return address
  return { all: /^[^\s@,:;<>]+$/.test(mailbox) ? mailbox : value, local: '', domain: '' }
}
