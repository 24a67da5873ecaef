import type { ContentType } from '@stoa/cms-model/content-types.ts'
import { TextLink } from '@stoa/ui/link.tsx'
import { Notice } from '@stoa/ui/notice.tsx'
import type { SharedValue } from './type-in-use.ts'

type SharedValuesProps = { type: Pick<ContentType, 'name'>; shared: readonly SharedValue[] }

/** Why a field cannot be unique: which entries share a value. */
export const SharedValues = ({ type, shared }: SharedValuesProps) => (
  <Notice tone="danger" title="Not saved: some entries share a value in a field that must be unique">
    <ul aria-label="Shared values" className="mt-1 flex flex-col gap-1">
      {shared.map(({ key, value, entries }) => (
        <li key={`${key} ${value}`} className="min-w-0 break-words">
          <code className="font-mono text-xs">{key}</code> “{value}”:{' '}
          {entries.map((entry, index) => (
            <span key={entry.id}>
              {index > 0 ? ', ' : ''}
              <TextLink to={`/content/${type.name}/${entry.id}`}>{entry.title || 'Untitled'}</TextLink>
            </span>
          ))}
        </li>
      ))}
    </ul>
  </Notice>
)
