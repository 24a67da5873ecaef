import { messageOf } from '@stoa/ui/problem.ts'
import { useQuery } from '@tanstack/react-query'
import { hasCode } from '../../api.ts'
import { entryItemQuery } from '../../entries/queries.ts'
import { EntryRow, type EntryRowProps } from './entry-row.tsx'

type ChosenEntryProps = Omit<EntryRowProps, 'entry' | 'missing' | 'note'>

/** An entry that was chosen by its id. */
export const ChosenEntry = (props: ChosenEntryProps) => {
  const { data, error } = useQuery(entryItemQuery(props.id))
  return <EntryRow {...props} entry={data} missing={error ? missingFor(error) : undefined} />
}

const missingFor = (error: Error): NonNullable<EntryRowProps['missing']> => {
  const name = 'Missing entry'
  return hasCode(error, 'NOT_FOUND')
    ? { name, text: name, note: 'Deleted, or not for your role to see.' }
    : { name, text: messageOf(error) }
}
