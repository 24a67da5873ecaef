import { CheckboxField } from '@stoa/ui/form/checkbox.tsx'
import { Input } from '@stoa/ui/form/input.tsx'
import { Select } from '@stoa/ui/form/select.tsx'
import { Textarea } from '@stoa/ui/form/textarea.tsx'
import { type ReactNode, useId } from 'react'
import { type ActionKind, actionOf, kindOf } from './edited-rules.ts'
import { type PartFrame, PartRow, type Wiring } from './rule-parts.tsx'
import { actionNames } from './rule-words.ts'
import { type Action, MAX_DAYS, MIN_DAYS } from './rules.ts'

type ActionRowProps = PartFrame & {
  action: Action
  error: string | undefined
  folders: readonly string[]
  onChange: (action: Action) => void
}

const kinds = (Object.keys(actionNames) as ActionKind[]).map((value) => ({ value, label: actionNames[value] }))

/** One thing that is done with a message. */
export const ActionRow = ({ action, folders, onChange, ...row }: ActionRowProps) => (
  <PartRow {...row}>
    {(wiring) => (
      <>
        <Select
          aria-label={`${row.name}: type`}
          className="w-52! phone:w-full!"
          value={kindOf(action)}
          options={kinds}
          onValue={(value) => {
            const kind = kinds.find((known) => known.value === value)?.value
            if (kind) onChange(actionOf(kind, action))
          }}
        />
        <Details action={action} name={row.name} folders={folders} wiring={wiring} onChange={onChange} />
      </>
    )}
  </PartRow>
)

type DetailsProps = Pick<ActionRowProps, 'action' | 'name' | 'folders' | 'onChange'> & { wiring: Wiring }

const Details = ({ action, name, folders, wiring, onChange }: DetailsProps) => {
  switch (action.do) {
    case 'file':
      return <FolderDetails action={action} name={name} folders={folders} wiring={wiring} onChange={onChange} />
    case 'label':
      return (
        <Input
          {...wiring}
          aria-label={`${name}: label`}
          className="w-56! phone:w-full!"
          placeholder="invoices"
          autoCapitalize="none"
          value={action.label}
          onChange={(event) => onChange({ ...action, label: event.target.value })}
        />
      )
    case 'redirect':
      return (
        <div className="flex min-w-44 flex-1 flex-col gap-2 phone:basis-full">
          <Input
            {...wiring}
            aria-label={`${name}: address`}
            type="email"
            placeholder="colleague@example.com"
            value={action.to}
            onChange={(event) => onChange({ ...action, to: event.target.value })}
          />
          <CheckboxField
            label="Keep a copy"
            checked={action.copy}
            onChecked={(copy) => onChange({ ...action, copy })}
          />
        </div>
      )
    case 'reply':
      return <ReplyDetails action={action} name={name} wiring={wiring} onChange={onChange} />
    case 'reject':
      return (
        <Textarea
          {...wiring}
          aria-label={`${name}: reason`}
          className="basis-full"
          placeholder="Please write to our new address."
          value={action.reason}
          onChange={(event) => onChange({ ...action, reason: event.target.value })}
        />
      )
    case 'discard':
      return <Hint>The sender isn't notified, and the message can't be restored.</Hint>
    case 'stop':
      return <Hint>Later rules and filters won't run for this message.</Hint>
    default:
      return null
  }
}

const Hint = ({ children }: { children: ReactNode }) => (
  <p className="min-w-0 flex-1 self-center text-faint text-xs phone:basis-full">{children}</p>
)

type Part<D extends Action['do']> = {
  action: Extract<Action, { do: D }>
  name: string
  wiring: Wiring
  onChange: (action: Action) => void
}

const FolderDetails = ({ action, name, folders, wiring, onChange }: Part<'file'> & { folders: readonly string[] }) => {
  const list = useId()
  const isThere = folders.includes(action.folder)
  return (
    <div className="flex min-w-44 flex-1 flex-col gap-2 phone:basis-full">
      <Input
        {...wiring}
        aria-label={`${name}: folder`}
        list={list}
        placeholder="Folder or Folder/Subfolder"
        autoComplete="off"
        value={action.folder}
        onChange={(event) => onChange({ ...action, folder: event.target.value })}
      />
      <datalist id={list}>
        {folders.map((folder) => (
          <option key={folder} value={folder} />
        ))}
      </datalist>
      {isThere && !action.create ? null : (
        <CheckboxField
          label="Create the folder if needed"
          checked={action.create}
          onChecked={(create) => onChange({ ...action, create })}
        />
      )}
    </div>
  )
}

const ReplyDetails = ({ action, name, wiring, onChange }: Part<'reply'>) => (
  <div className="flex min-w-0 basis-full flex-col gap-1.5">
    <div className="flex flex-wrap items-center gap-1.5">
      <Input
        aria-label={`${name}: subject`}
        className="w-auto! min-w-44 flex-1"
        placeholder="Subject (leave empty to use the original)"
        value={action.subject}
        onChange={(event) => onChange({ ...action, subject: event.target.value })}
      />
      <Input
        aria-label={`${name}: days between replies to the same person`}
        type="number"
        min={MIN_DAYS}
        max={MAX_DAYS}
        className="w-36!"
        leading="every"
        trailing={<span className="pr-2">days</span>}
        value={String(action.days)}
        onChange={(event) => onChange({ ...action, days: Number(event.target.value) })}
      />
    </div>
    <Textarea
      {...wiring}
      aria-label={`${name}: reply text`}
      value={action.text}
      onChange={(event) => onChange({ ...action, text: event.target.value })}
    />
    <p className="text-faint text-xs">
      Each person gets one reply in this period. Mailing lists and automated senders don't get any.
    </p>
  </div>
)
