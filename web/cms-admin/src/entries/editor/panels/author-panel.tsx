import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { Combobox } from '@stoa/ui/form/combobox.tsx'
import { Field } from '@stoa/ui/form/field.tsx'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { may } from '../../../allowed.tsx'
import { everybodyQuery } from '../../../people/queries.ts'
import { useEditor } from '../editor-context.ts'
import { useEntryActions } from '../use-entry-actions.ts'
import { SideSection } from './side-section.tsx'

/** The author of the entry. Those who may change every entry can name someone else. */
export const AuthorPanel = () => {
  const { me, state, rights, canWrite, beginning, setBeginning } = useEditor()
  const actions = useEntryActions()
  const [isWanted, setIsWanted] = useState(false)
  // Only those who manage people may see all of them
  const { data, isFetching } = useQuery({ ...everybodyQuery, enabled: isWanted && may(me, 'users.manage') })
  const author = state.entry ? state.entry.author : me
  if (!rights.any)
    return (
      <SideSection title="Author">
        <p className="text-muted text-sm">{author?.name ?? 'No author'}</p>
      </SideSection>
    )
  const people = new Map([author, me, ...(data?.items ?? [])].flatMap((one) => (one ? [[one.id, one.name]] : [])))
  const choose = async (authorId: string) => {
    if (state.entry === null) return setBeginning({ authorId })
    try {
      await actions.update({ authorId })
    } catch (error) {
      toast({ tone: 'danger', title: "Couldn't change the author", description: messageOf(error) })
    }
  }
  return (
    <SideSection title="Author">
      <Field label="Author" hideLabel>
        <Combobox
          value={state.entry ? (author?.id ?? '') : beginning.authorId}
          disabled={!canWrite}
          placeholder="No author"
          onOpen={() => setIsWanted(true)}
          isLoading={isFetching}
          onValue={(id) => void choose(id)}
          options={[...people].map(([value, name]) => ({ value, label: value === me.id ? `${name} (you)` : name }))}
        />
      </Field>
    </SideSection>
  )
}
