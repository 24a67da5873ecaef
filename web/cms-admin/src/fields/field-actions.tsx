import { IconButton } from '@stoa/ui/button/button.tsx'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { Menu, MenuItem } from '@stoa/ui/layer/menu.tsx'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { Ellipsis } from 'lucide-react'
import { Suspense, use, useEffect, useRef, useState } from 'react'
import type { FieldAction, FieldHandle } from '../registry/field-actions.ts'
import type { EditorProps } from './editor.ts'
import { FieldActionScope, type FieldActionScopeValue } from './field-action-scope.ts'
import { FieldSelection } from './field-selection.ts'

/** The actions for the value of a field. Undefined where there are none. */
export const useFieldActions = (props: EditorProps) => {
  const scope = use(FieldActionScope)
  if (scope === null) return undefined
  const actions = scope.actions.filter(({ appliesTo }) => appliesTo(props.field, { readonly: props.disabled }))
  return actions.length === 0 ? undefined : <FieldActionMenu {...props} scope={scope} actions={actions} />
}

type FieldActionMenuProps = EditorProps & { scope: FieldActionScopeValue; actions: readonly FieldAction[] }

const FieldActionMenu = (props: FieldActionMenuProps) => {
  const { field, actions } = props
  const handle = useHandle(props)
  const [open, setOpen] = useState<string>()
  const [busy, setBusy] = useState(false)
  const start = async (action: FieldAction) => {
    if ('Component' in action) return setOpen(action.id)
    setBusy(true)
    try {
      await action.run(handle)
    } catch (error) {
      toast({ tone: 'danger', title: `${action.label} failed`, description: messageOf(error) })
    } finally {
      setBusy(false)
    }
  }
  const opened = actions.find(({ id }) => id === open)
  return (
    <>
      <Menu
        trigger={
          <IconButton
            size="sm"
            label={`Actions for ${field.label}`}
            icon={<Ellipsis />}
            loading={busy}
            className="-my-1"
          />
        }
      >
        {actions.map((action) => (
          <MenuItem key={action.id} icon={action.icon} onSelect={() => void start(action)}>
            {action.label}
          </MenuItem>
        ))}
      </Menu>
      {opened && 'Component' in opened ? (
        <Suspense>
          <opened.Component handle={handle} onClose={() => setOpen(undefined)} />
        </Suspense>
      ) : null}
    </>
  )
}

/** An action may take its time: it writes into the field as it is then, if it is still there. */
const useHandle = ({ scope, field, path, value, onChange, disabled }: FieldActionMenuProps): FieldHandle => {
  const latest = useRef<Pick<EditorProps, 'onChange' | 'disabled'>>(undefined)
  useEffect(() => {
    latest.current = { onChange, disabled }
    return () => {
      latest.current = undefined
    }
  }, [onChange, disabled])
  const setValue = (next: unknown) => {
    const now = latest.current
    if (now && !now.disabled) scope.asOneStep(() => now.onChange(next))
  }
  const selection = use(FieldSelection)
  const { type, entryId } = scope
  const selected = () => selection?.current?.() ?? null
  return { type, entryId, field, path, value, selected, setValue, readonly: disabled }
}
