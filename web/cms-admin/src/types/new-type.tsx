import type { ContentType } from '@stoa/cms-model/content-types.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { Notice } from '@stoa/ui/feedback/notice.tsx'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { useNavigateTo } from '@stoa/ui/navigation/link.tsx'
import { PageHeader } from '@stoa/ui/shell/page-header.tsx'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { draftOf, emptyType } from './draft.ts'
import { useIsNarrow } from './field-side.tsx'
import type { FieldPath } from './field-tree.ts'
import { FieldsBuilder } from './fields-builder.tsx'
import { createType, typeQuery, typesQuery } from './queries.ts'
import { SaveBar, SaveButtons } from './save-bar.tsx'
import { showProblem } from './show-problem.ts'
import { startingPointOf } from './starting-points.ts'
import { StartingPoints } from './starting-points-list.tsx'
import { TypeBasics, TypeMore } from './type-basics.tsx'
import { useTypeEditor } from './use-type-editor.ts'

type NewTypeProps = { from: string; types: readonly ContentType[] }

/** A type that is made from nothing, or from a starting point. */
export const NewType = ({ from, types }: NewTypeProps) => {
  const queryClient = useQueryClient()
  const navigateTo = useNavigateTo()
  const [open, setOpen] = useState<FieldPath>([])
  const [created, setCreated] = useState<string>()
  const editor = useTypeEditor({
    initial: emptyType,
    write: async ({ input }) => {
      const made = await createType(input)
      queryClient.setQueryData(typeQuery(made.name).queryKey, made)
      void queryClient.invalidateQueries(typesQuery)
      toast({ tone: 'success', title: `${made.label} created` })
      setCreated(made.name)
      return draftOf(made)
    },
    onRefused: (problems, values) => showProblem(problems, values.fields, setOpen),
  })
  const { values, set, reset, dirty } = editor
  const [started, setStarted] = useState(false)
  const point = startingPointOf(from)
  // Not the initial values: what a starting point fills in is not saved
  if (point && !started) {
    setStarted(true)
    set(point.draft(types))
  }
  // Once nothing is unsaved any more, so that nobody is asked
  useEffect(() => {
    if (created !== undefined && !dirty) navigateTo(`/types/${created}`)
  }, [created, dirty, navigateTo])
  const save = () => void editor.save()
  const narrow = useIsNarrow()
  const saveProps = { label: 'Create type', saving: editor.saving, onSave: save, onDiscard: () => reset() }
  return (
    <>
      <title>New content type · Stoa CMS</title>
      <PageHeader
        crumbs={[{ label: 'Content types', to: '/types' }]}
        title={values.label.trim() || 'New content type'}
        description="Define the fields its entries have"
        actions={
          <Button variant="primary" loading={editor.saving} onClick={save}>
            Create type
          </Button>
        }
      />
      <div className="flex flex-col gap-6">
        {editor.message === undefined ? null : <Notice tone="danger">{editor.message}</Notice>}
        <TypeBasics editor={editor} isNew />
        <FieldsBuilder
          title="Fields"
          fields={values.fields}
          onFields={(change) => set((before) => ({ fields: change(before.fields) }))}
          saved={[]}
          problems={editor.problems}
          open={open}
          onOpen={setOpen}
          types={targetsOf(types, values)}
          typeLabel={values.label}
          empty={
            <div className="flex flex-col gap-3 px-4 pt-4">
              <p className="text-muted text-sm">Add fields one by one, or start from a template:</p>
              <StartingPoints types={types} onChoose={(chosen) => set(chosen.draft(types))} />
            </div>
          }
          onSave={save}
          saveButtons={dirty ? <SaveButtons {...saveProps} /> : null}
        />
        <TypeMore editor={editor} isNew />
        {dirty && (narrow || open.length === 0) ? <SaveBar {...saveProps} /> : null}
      </div>
    </>
  )
}

/** A new type may refer to itself, too. */
const targetsOf = (types: readonly ContentType[], { name, label }: { name: string; label: string }) => [
  ...types,
  ...(name === '' || types.some((type) => type.name === name) ? [] : [{ name, label: `${label || name} (this type)` }]),
]
