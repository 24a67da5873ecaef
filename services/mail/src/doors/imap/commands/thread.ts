import { queryThreadedRows } from '../../../store/store.ts'
import { afterSignIn, defineCommand, no, ok } from '../command.ts'
import { bad } from '../parse/bad-command.ts'
import { toFilter } from '../search/filter.ts'
import { readKeys, type SearchKey } from '../search/keys.ts'
import { BAD_CHARSET, readNamedCharset } from '../search/options.ts'
import { folderSearch, viewOf } from '../search/run.ts'
import { formatThreads, threadByReferences, threadBySubject } from '../search/threads.ts'

const ALGORITHMS = { REFERENCES: threadByReferences, ORDEREDSUBJECT: threadBySubject } as const

type ThreadArguments = { algorithm: keyof typeof ALGORITHMS; key: SearchKey | null }

/** RFC 5256 §3. */
export const thread = defineCommand<ThreadArguments>({
  name: 'THREAD',
  states: ['selected'],
  capabilities: afterSignIn('THREAD=REFERENCES', 'THREAD=ORDEREDSUBJECT'),
  takesUid: true,
  holdsExpunges: ({ isUid }) => !isUid,
  parse(args, session) {
    const algorithm = args.takeKeyword('REFERENCES', 'ORDEREDSUBJECT') ?? bad('Unknown threading algorithm')
    args.space()
    if (!readNamedCharset(args)) return { algorithm, key: null }
    return { algorithm, key: readKeys(args, { now: session.parts.clock.now() }) }
  },
  async run(session, { algorithm, key }, { isUid }) {
    if (!key) return no('Unsupported charset', BAD_CHARSET)
    const view = viewOf(session)
    const rows = await queryThreadedRows(session.parts, folderSearch(view, toFilter(key, view)))
    const threads = ALGORITHMS[algorithm](rows.filter(({ uid }) => view.uids.sequenceOf(uid) > 0))
    const text = formatThreads(threads, (uid) => (isUid ? uid : view.uids.sequenceOf(uid)))
    await session.out.untagged(text === '' ? 'THREAD' : `THREAD ${text}`)
    return ok('Thread completed')
  },
})
