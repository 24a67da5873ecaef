import type { FieldOf } from '@stoa/cms-model/fields/field.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { Sortable } from '@stoa/ui/sortable/sortable.tsx'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { hasCode } from '../../api.ts'
import { entryItemQuery } from '../../entries/queries.ts'
import type { EditorProps } from '../editor.ts'
import { mayMove, moveItem, removeItem } from '../items.ts'
import { messagesOf, problemsAt } from '../problems.ts'
import { EntryCombobox } from './entry-combobox.tsx'
import { EntryRow, type EntryRowProps } from './entry-row.tsx'

/** One entry of another type, or several in an order. */
export const ReferenceEditor = (props: EditorProps<FieldOf<'reference'>>) =>
  props.field.multiple ? <SeveralEntries {...props} /> : <OneEntry {...props} />

const OneEntry = ({ field, value, onChange, path, disabled }: EditorProps<FieldOf<'reference'>>) => {
  const [changing, setChanging] = useState(false)
  const id = typeof value === 'string' ? value : undefined
  return (
    <>
      {id === undefined ? null : (
        <ChosenEntry id={id} path={path} errors={[]} disabled={disabled} onRemove={() => onChange(null)}>
          {disabled || changing ? null : (
            <Button size="sm" variant="ghost" onClick={() => setChanging(true)}>
              Change
            </Button>
          )}
        </ChosenEntry>
      )}
      {(id === undefined || changing) && !disabled ? (
        <EntryCombobox
          type={field.to}
          label={`Find an entry for ${field.label}`}
          without={id === undefined ? [] : [id]}
          autoFocus={changing}
          onChoose={(entry) => {
            setChanging(false)
            onChange(entry.id)
          }}
        />
      ) : null}
      {id === undefined && disabled ? <p className="text-faint text-sm">None</p> : null}
    </>
  )
}

const SeveralEntries = ({ field, value, onChange, path, problems, disabled }: EditorProps<FieldOf<'reference'>>) => {
  const ids = Array.isArray(value) ? value.filter((id) => typeof id === 'string') : []
  const client = useQueryClient()
  const isFull = ids.length >= (field.maxItems ?? Number.POSITIVE_INFINITY)
  const move = (from: number, to: number) => {
    if (mayMove(ids.length, from, to)) onChange(moveItem(ids, from, to))
  }
  return (
    <>
      {ids.length === 0 ? null : (
        <Sortable
          ids={ids}
          nameOf={(id) => client.getQueryData(entryItemQuery(id).queryKey)?.title || `entry ${ids.indexOf(id) + 1}`}
          onMove={move}
          layout="rows"
        >
          <ol className="flex min-w-0 flex-col gap-1.5">
            {ids.map((id, index) => (
              <ChosenEntry
                key={id}
                id={id}
                path={`${path}.${index}`}
                errors={messagesOf(problemsAt(problems, `${path}.${index}`))}
                disabled={disabled}
                sort={{ index, count: ids.length, onMove: move }}
                onRemove={() => onChange(removeItem(ids, index))}
              />
            ))}
          </ol>
        </Sortable>
      )}
      {disabled ? null : (
        <EntryCombobox
          type={field.to}
          label={`Add an entry to ${field.label}`}
          without={ids}
          disabled={isFull}
          onChoose={(entry) => onChange([...ids, entry.id])}
        />
      )}
      {ids.length === 0 && disabled ? <p className="text-faint text-sm">None</p> : null}
    </>
  )
}

type ChosenEntryProps = Omit<EntryRowProps, 'entry' | 'missing' | 'note'>

/** An entry that was chosen by its id. */
const ChosenEntry = (props: ChosenEntryProps) => {
  const { data, error } = useQuery(entryItemQuery(props.id))
  return <EntryRow {...props} entry={data} missing={error ? missingFor(error) : undefined} />
}

const missingFor = (error: Error): NonNullable<EntryRowProps['missing']> => {
  const name = 'Missing entry'
  return hasCode(error, 'NOT_FOUND')
    ? { name, text: name, note: "Deleted, or your role can't see it." }
    : { name, text: messageOf(error) }
}
