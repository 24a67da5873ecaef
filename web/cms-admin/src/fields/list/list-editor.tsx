import { MAX_ITEMS } from '@stoa/cms-model/fields/checks.ts'
import type { FieldOf } from '@stoa/cms-model/fields/field.ts'
import { Sortable } from '@stoa/ui/sortable/sortable.tsx'
import { useState } from 'react'
import type { EditorProps } from '../editor.ts'
import { ListActions } from './list-actions.tsx'
import { ListRow } from './list-row.tsx'
import { PasteRowsDialog } from './paste-rows-dialog.tsx'
import { isInline } from './rows.ts'
import { useList } from './use-list.ts'

/** Rows with fields of their own, to be added, opened, moved, doubled and deleted. */
export const ListEditor = (props: EditorProps<FieldOf<'list'>>) => {
  const { field, disabled } = props
  const list = useList(props)
  const [pasting, setPasting] = useState(false)
  return (
    <div ref={list.focus.root} className="flex min-w-0 flex-col gap-2">
      {list.rows.length === 0 ? null : <Rows {...props} list={list} />}
      <ListActions
        field={field}
        count={list.rows.length}
        openCount={list.open.openCount}
        isFull={list.isFull}
        disabled={disabled}
        onAdd={() => list.add(list.rows.length)}
        onPaste={() => setPasting(true)}
        onToggleAll={() => (list.open.openCount > 0 ? list.open.closeAll() : list.open.show(list.keys))}
      />
      {pasting ? (
        <PasteRowsDialog
          field={field}
          room={(field.maxItems ?? MAX_ITEMS) - list.rows.length}
          onClose={() => setPasting(false)}
          onRows={(added) => list.actions.insert(list.rows.length, ...added)}
        />
      ) : null}
      <span role="status" className="sr-only">
        {list.announcement}
      </span>
    </div>
  )
}

type RowsProps = EditorProps<FieldOf<'list'>> & { list: ReturnType<typeof useList> }

const Rows = ({ field, path, problems, disabled, list }: RowsProps) => {
  const { rows, keys, actions, open, isFull } = list
  return (
    <Sortable ids={keys} nameOf={(key) => `item ${keys.indexOf(key) + 1}`} onMove={actions.move} layout="rows">
      <ol className="flex min-w-0 flex-col gap-1.5">
        {keys.map((key, index) => (
          <ListRow
            key={key}
            rowKey={key}
            field={field}
            row={rows[index] ?? {}}
            index={index}
            count={rows.length}
            path={`${path}.${index}`}
            problems={problems}
            disabled={disabled}
            inline={isInline(field.fields)}
            isOpen={open.isOpen(key)}
            isFull={isFull}
            onToggle={() => open.toggle(key)}
            onAdd={list.add}
            onMove={list.move}
            onRemove={() => list.remove(index)}
            onRefocus={list.focus.again}
            onKeyDown={(event) => list.press(event, index)}
            actions={actions}
          />
        ))}
      </ol>
    </Sortable>
  )
}
