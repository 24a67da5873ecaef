import { defineCommand, ok } from '../command.ts'
import type { Extension } from '../session.ts'

/** What can be enabled, as it is spelled in the answer. */
const KNOWN: Readonly<Record<string, { name: string; adds: readonly Extension[] }>> = {
  CONDSTORE: { name: 'CONDSTORE', adds: ['CONDSTORE'] },
  // RFC 7162 §3.2.3
  QRESYNC: { name: 'QRESYNC', adds: ['QRESYNC', 'CONDSTORE'] },
  IMAP4REV2: { name: 'IMAP4rev2', adds: ['IMAP4REV2'] },
  'UTF8=ACCEPT': { name: 'UTF8=ACCEPT', adds: ['UTF8=ACCEPT'] },
}

/** RFC 9051 §6.3.1. */
export const enable = defineCommand({
  name: 'ENABLE',
  states: ['signedIn', 'selected'],
  capabilities: () => ['ENABLE'],
  parse(args) {
    const wanted = [args.keyword()]
    while (args.take(' ')) wanted.push(args.keyword())
    return wanted
  },
  async run(session, wanted) {
    const found = wanted.flatMap((each) => KNOWN[each] ?? [])
    const added = found.filter(({ adds }) => adds.some((each) => !session.enabled.has(each)))
    for (const { adds } of added) for (const each of adds) session.enabled.add(each)
    await session.out.untagged(['ENABLED', ...new Set(added.map(({ name }) => name))].join(' '))
    return ok('Enabled')
  },
})
