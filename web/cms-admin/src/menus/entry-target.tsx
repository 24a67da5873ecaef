import type { Entry } from '@stoa/cms-model/entries.ts'
import { Badge } from '@stoa/ui/display/badge.tsx'
import { Tooltip } from '@stoa/ui/layer/tooltip.tsx'
import { useQuery } from '@tanstack/react-query'
import { hasCode } from '../api.ts'
import { entryQuery } from '../entries/queries.ts'
import { TypeLabel } from '../types/type-label.tsx'

type Trouble = { word: string; why: string; tone: 'draft' | 'failed' }

const NOT_SHOWN = "It's hidden on your website, along with its sub-items"

/** The entry that an item leads to, and whether visitors get there. */
export const EntryTarget = ({ id, by }: { id: string; by: 'title' | 'slug' }) => {
  const { data, error } = useQuery(entryQuery(id))
  const trouble = data ? troubleOf(data) : error && hasCode(error, 'NOT_FOUND') ? MISSING : undefined
  return (
    <span className="flex min-w-0 items-center gap-2">
      <span className="truncate">
        {data ? (
          <>
            <TypeLabel name={data.type} /> · {data[by] || data.slug}
          </>
        ) : error ? (
          'An entry'
        ) : (
          '…'
        )}
      </span>
      {trouble ? (
        <Tooltip label={trouble.why}>
          <span className="shrink-0">
            <Badge tone={trouble.tone}>{trouble.word}</Badge>
            <span className="sr-only">{trouble.why}</span>
          </span>
        </Tooltip>
      ) : null}
    </span>
  )
}

const MISSING: Trouble = { word: 'Missing', why: `The entry was permanently deleted. ${NOT_SHOWN}.`, tone: 'failed' }

const troubleOf = (entry: Entry): Trouble | undefined => {
  if (entry.deletedAt !== null)
    return { word: 'In the trash', why: `The entry is in the trash. ${NOT_SHOWN}.`, tone: 'failed' }
  if (entry.status === 'draft')
    return { word: 'Draft', why: `The entry isn't published. ${NOT_SHOWN} until it is.`, tone: 'draft' }
  if (entry.url === null)
    return {
      word: 'No URL',
      why: 'Its content type has no preview URL, so the link goes nowhere.',
      tone: 'draft',
    }
  return undefined
}
