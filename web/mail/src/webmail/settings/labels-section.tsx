import type { Label } from '@stoa/mail-model/labels.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { EmptyState } from '@stoa/ui/feedback/empty-state.tsx'
import { useNavigateTo } from '@stoa/ui/navigation/link.tsx'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { type Column, DataTable } from '@stoa/ui/table/data-table.tsx'
import { ListSection } from '@stoa/ui/table/list-section.tsx'
import { listState } from '@stoa/ui/table/list-state.ts'
import { formatNumber } from '@stoa/ui/text/format.ts'
import { useQuery } from '@tanstack/react-query'
import { Pencil, Plus, Search, Tag, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useLabels } from '../actions/known-labels.ts'
import { LabelChip } from '../folders/label-chip.tsx'
import { LabelDialog } from '../folders/label-dialog.tsx'
import { RemoveLabel } from '../folders/remove-label.tsx'
import { placeOfLabel, placePath } from '../places.ts'
import { labelsQuery } from '../queries.ts'

const columns: readonly [Column<Label>, ...Column<Label>[]] = [
  {
    id: 'label',
    header: 'Label',
    cell: ({ name }) => (
      <span className="flex min-w-0">
        <LabelChip label={name} />
      </span>
    ),
  },
  { id: 'total', header: 'Messages', align: 'end', cell: ({ total }) => formatNumber(total) },
]

/** The labels of the mailbox: their names, colors, and how many messages have them. */
export const LabelsSection = () => {
  const query = useQuery({ ...labelsQuery, staleTime: 0 })
  const labels = useLabels()
  const navigateTo = useNavigateTo()
  const [editing, setEditing] = useState<Label | null>()
  const [removing, setRemoving] = useState<Label>()
  const add = (
    <Button icon={<Plus />} onClick={() => setEditing(null)}>
      New label
    </Button>
  )
  return (
    <ListSection
      title="Labels"
      description="Organize messages across folders. Other mail apps call these keywords."
      {...(labels.length > 0 ? { actions: add } : {})}
    >
      <DataTable
        label="Labels"
        columns={columns}
        state={listState({ data: query.data && labels, error: query.error, refetch: query.refetch }, messageOf)}
        rowKey={({ name }) => name}
        rowName={({ display_name: name }) => name}
        rowActions={({ name }) => [
          { label: 'Show messages', icon: <Search />, onRun: () => navigateTo(placePath(placeOfLabel(name))) },
          { label: 'Edit', icon: <Pencil />, onRun: setEditing },
          { label: 'Delete', icon: <Trash2 />, danger: true, onRun: setRemoving },
        ]}
        empty={
          <EmptyState icon={<Tag />} title="No labels yet" action={add}>
            Labels group messages from any folder.
          </EmptyState>
        }
      />
      {editing === undefined ? null : <LabelDialog label={editing} onClose={() => setEditing(undefined)} />}
      {removing ? <RemoveLabel label={removing} onClose={() => setRemoving(undefined)} /> : null}
    </ListSection>
  )
}
