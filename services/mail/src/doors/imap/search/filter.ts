import type { Filter } from '../../../store/store.ts'
import { setOfNumbers } from '../parse/sequence-set.ts'
import type { FolderView } from '../view.ts'
import type { SearchKey } from './keys.ts'

/** What a command looks for, as the store looks for it in the selected folder. */
export const toFilter = (key: SearchKey, view: Pick<FolderView, 'uids' | 'resolve' | 'isRecent'>): Filter => {
  switch (key.kind) {
    case 'condition':
      return key.condition
    case 'set':
      // RFC 9051 §6.4.4: numbers that no message has are no mistake here.
      return inSet(view.resolve(key.set, key.isUid, { isLenient: true }))
    case 'recent':
      return inSet([...view.uids.values()].filter((uid) => view.isRecent(uid)))
    case 'not':
      return { operator: 'not', conditions: [toFilter(key.key, view)] }
    case 'and':
    case 'or':
      return { operator: key.kind, conditions: key.keys.map((each) => toFilter(each, view)) }
  }
}

const inSet = (uids: readonly number[]): Filter => ({ row: { uids: setOfNumbers(uids).ranges } })
