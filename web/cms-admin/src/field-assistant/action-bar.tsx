import { Button } from '@stoa/ui/button/button.tsx'
import { Field } from '@stoa/ui/form/field.tsx'
import { Input } from '@stoa/ui/form/input.tsx'
import { Menu, MenuItem } from '@stoa/ui/layer/menu.tsx'
import { useQuery } from '@tanstack/react-query'
import { ChevronDown } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { settingsQuery } from '../settings/queries.ts'
import { nameOfLocale } from '../settings/values.ts'
import { actionsFor, type Choice, isBlank, type Subject } from './subject.ts'

const TONES = ['Friendly', 'Formal', 'Confident', 'Simple', 'Playful'] as const
const MAX_INSTRUCTION = 500

type ActionBarProps = { subject: Subject; busy: boolean; onStart: (choice: Choice) => void }

/** What can be done with the text: in one press, or in the person's own words. */
export const ActionBar = ({ subject, busy, onStart }: ActionBarProps) => {
  const { data: settings } = useQuery(settingsQuery)
  const actions = actionsFor(subject)
  const canReword = subject.fieldType !== 'select' && !isBlank(subject)
  return (
    <div className="flex min-w-0 flex-col gap-4">
      {actions.length === 0 ? null : (
        <fieldset className="flex flex-wrap gap-2">
          <legend className="sr-only">Actions</legend>
          {actions.map(({ action, label }) => (
            <Button key={action} size="sm" disabled={busy} onClick={() => onStart({ action })}>
              {label}
            </Button>
          ))}
          {canReword ? (
            <>
              <ChoiceMenu
                label="Change tone"
                busy={busy}
                choices={TONES.map((tone) => [tone, { action: 'tone', tone: tone.toLowerCase() }])}
                onStart={onStart}
              />
              <ChoiceMenu
                label="Translate"
                busy={busy}
                choices={(settings?.locales ?? []).map((locale) => [
                  nameOfLocale(locale),
                  { action: 'translate', targetLocale: locale },
                ])}
                onStart={onStart}
              />
            </>
          ) : null}
        </fieldset>
      )}
      <Instruction subject={subject} busy={busy} onStart={onStart} />
    </div>
  )
}

type ChoiceMenuProps = Omit<ActionBarProps, 'subject'> & {
  label: string
  choices: readonly (readonly [name: string, choice: Choice])[]
}

const ChoiceMenu = ({ label, busy, choices, onStart }: ChoiceMenuProps) => (
  <Menu
    align="start"
    trigger={
      <Button size="sm" disabled={busy || choices.length === 0}>
        {label}
        <ChevronDown aria-hidden className="size-3.5" />
      </Button>
    }
  >
    {choices.map(([name, choice]) => (
      <MenuItem key={name} onSelect={() => onStart(choice)}>
        {name}
      </MenuItem>
    ))}
  </Menu>
)

const Instruction = ({ subject, busy, onStart }: ActionBarProps) => {
  const [instruction, setInstruction] = useState('')
  const isSelect = subject.fieldType === 'select'
  const start = (event: FormEvent) => {
    event.preventDefault()
    // It is a form inside of the editor's
    event.stopPropagation()
    const words = instruction.trim()
    if (busy || (words === '' && !isSelect)) return
    onStart({ action: 'custom', instruction: words === '' ? 'Choose the option that fits best.' : words })
  }
  return (
    <form onSubmit={start} className="flex flex-wrap items-end gap-2">
      <Field label="Instruction" optional={isSelect} className="min-w-48 flex-1">
        <Input
          value={instruction}
          maxLength={MAX_INSTRUCTION}
          autoComplete="off"
          placeholder={placeholderOf(subject)}
          onChange={(event) => setInstruction(event.target.value)}
        />
      </Field>
      <Button type="submit" disabled={busy || (instruction.trim() === '' && !isSelect)}>
        Generate
      </Button>
    </form>
  )
}

const placeholderOf = (subject: Subject): string => {
  if (subject.fieldType === 'select') return 'How to choose an option'
  return isBlank(subject) ? 'What should the text be about?' : 'What should change?'
}
