import { Button, IconButton } from '@stoa/ui/button/button.tsx'
import { Badge } from '@stoa/ui/display/badge.tsx'
import { ChoiceGroup } from '@stoa/ui/form/choice-group.tsx'
import { Field } from '@stoa/ui/form/field.tsx'
import { Input } from '@stoa/ui/form/input.tsx'
import { Plus, X } from 'lucide-react'
import { useState } from 'react'
import { nameOfLocale, readLocale } from './values.ts'

type LocalesFieldProps = {
  value: readonly string[]
  standard: string
  onValue: (locales: string[]) => void
  error: string | undefined
}

/** The languages of the site, to be added and removed. */
export const LocalesField = ({ value, standard, onValue, error }: LocalesFieldProps) => {
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<string>()
  const add = () => {
    const tag = readLocale(text)
    if (text.trim() === '') return
    if (tag === undefined) return setProblem('Enter a language tag like en or pt-BR.')
    if (value.includes(tag)) return setProblem(`${nameOfLocale(tag)} is already in the list.`)
    onValue([...value, tag])
    setText('')
    setProblem(undefined)
  }
  return (
    <ChoiceGroup label="Languages" error={error}>
      <ul className="divide-y divide-line rounded-lg border border-line">
        {value.map((tag) => (
          <li key={tag} className="flex min-h-10 items-center gap-2 py-1 pr-1.5 pl-3 text-sm">
            <span className="min-w-0 flex-1 truncate">
              {nameOfLocale(tag)} <span className="text-faint">{tag}</span>
            </span>
            {tag === standard ? (
              <Badge tone="accent">Default</Badge>
            ) : (
              <IconButton
                size="sm"
                label={`Remove ${nameOfLocale(tag)}`}
                icon={<X />}
                onClick={() => onValue(value.filter((other) => other !== tag))}
              />
            )}
          </li>
        ))}
      </ul>
      <div className="flex items-end gap-2">
        <Field label="Add language" optional error={problem} className="flex-1">
          <Input
            value={text}
            placeholder="pt-BR"
            autoCapitalize="none"
            onChange={(event) => {
              setText(event.target.value)
              setProblem(undefined)
            }}
            onKeyDown={(event) => {
              if (event.key !== 'Enter') return
              // The form around it would be saved
              event.preventDefault()
              add()
            }}
          />
        </Field>
        <Button icon={<Plus />} onClick={add} className={problem ? 'mb-6' : ''}>
          Add
        </Button>
      </div>
    </ChoiceGroup>
  )
}
