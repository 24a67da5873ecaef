import type { Filter } from '@stoa/mail-model/filters.ts'
import { ProblemError } from '@stoa/ui/request/problem.ts'
import { useState } from 'react'

/** Watches for a script that was changed elsewhere while it is edited here: nothing is overwritten in silence. */
export const useTheirs = (filter: Filter | undefined, read: (id: string) => Promise<Filter>) => {
  const [known, setKnown] = useState(filter)
  const [found, setFound] = useState<Filter>()
  return {
    /** The current script on the service, if it is not the one being edited. */
    theirs: known && [found, filter].find((one) => one !== undefined && isOther(one, known)),
    /** Marks a version as known: it was shown to the person or saved here. */
    know: setKnown,
    /** Throws when it was changed since it was last seen. */
    check: async (): Promise<void> => {
      if (!known) return
      const now = await read(known.id)
      if (!isOther(now, known)) return
      setFound(now)
      throw new ProblemError(
        'This filter was changed somewhere else, so nothing was saved. Choose which version to keep above.',
      )
    },
  }
}

const isOther = (one: Filter, known: Filter): boolean =>
  one.updated_at > known.updated_at && one.script !== known.script
