import { AtSign } from 'lucide-react'
import { useState } from 'react'
import { CheckboxField } from '../../src/form/checkbox.tsx'
import { ChoiceGroup, RadioChoice } from '../../src/form/choice-group.tsx'
import { Field } from '../../src/form/field.tsx'
import { Input } from '../../src/form/input.tsx'
import { PasswordInput } from '../../src/form/password-input.tsx'
import { SearchInput } from '../../src/form/search-input.tsx'
import { Select } from '../../src/form/select.tsx'
import { SwitchField } from '../../src/form/switch.tsx'
import { Textarea } from '../../src/form/textarea.tsx'
import { TextLink } from '../../src/navigation/link.tsx'
import { Specimen, Specimens } from './specimen.tsx'

const roles = [
  { value: 'viewer', label: 'Viewer' },
  { value: 'author', label: 'Author' },
  { value: 'editor', label: 'Editor' },
  { value: 'owner', label: 'Owner', disabled: true },
]

export const FieldSection = () => (
  <Specimens>
    <Specimen title="Text" stack>
      <Field label="Title" help="Shown in lists and in the browser's tab.">
        <Input defaultValue="Spring menu" />
      </Field>
      <Field label="Slug" optional>
        <Input placeholder="spring-menu" leading="/blog/" />
      </Field>
      <Field label="Email" error="Enter an email address like ada@example.com.">
        <Input type="email" defaultValue="ada@" leading={<AtSign aria-hidden />} />
      </Field>
      <Field label="Disabled">
        <Input defaultValue="Set by the configuration" disabled />
      </Field>
    </Specimen>
    <Specimen title="Longer text, password" stack>
      <Field label="Description" optional help="Up to 300 characters.">
        <Textarea defaultValue="What the kitchen cooks from March to May." />
      </Field>
      <Field label="Password" action={<TextLink to="reset">Forgot it?</TextLink>}>
        <PasswordInput autoComplete="current-password" defaultValue="correct horse" />
      </Field>
      <Field label="New password" error="Use at least 8 characters." help="8 characters or more.">
        <PasswordInput autoComplete="new-password" defaultValue="short" />
      </Field>
    </Specimen>
    <Specimen title="Choices" stack>
      <Choices />
    </Specimen>
    <Specimen title="Switches and search" stack>
      <Switches />
    </Specimen>
    <Specimen title="Groups of choices" stack>
      <ChoiceExample />
    </Specimen>
  </Specimens>
)

const Choices = () => {
  const [role, setRole] = useState('author')
  const [zone, setZone] = useState('')
  const [terms, setTerms] = useState(false)
  const [all, setAll] = useState(true)
  return (
    <>
      <Field label="Role">
        <Select value={role} onValue={setRole} options={roles} />
      </Field>
      <Field label="Time zone" error="Choose a time zone.">
        <Select value={zone} onValue={setZone} placeholder="Choose…" options={[{ value: 'utc', label: 'UTC' }]} />
      </Field>
      <CheckboxField checked={all} onChecked={setAll} label="Publish at once" help="Otherwise it stays a draft." />
      <CheckboxField
        checked={terms}
        onChecked={setTerms}
        label="I have read the rules"
        error="Please read them first."
      />
      <CheckboxField checked={false} indeterminate onChecked={setAll} label="Some of them" />
      <CheckboxField checked disabled onChecked={setAll} label="Cannot be changed" />
    </>
  )
}

const Switches = () => {
  const [on, setOn] = useState(true)
  const [off, setOff] = useState(false)
  const [words, setWords] = useState('spring')
  return (
    <>
      <SwitchField
        checked={on}
        onChecked={setOn}
        label="Weekly summary"
        help="Every Monday at 8:00 in your time zone."
      />
      <SwitchField checked={off} onChecked={setOff} label="Product news" />
      <SwitchField checked={off} onChecked={setOff} disabled label="Needs a verified address" />
      <SearchInput label="Search entries" value={words} onSearch={setWords} />
    </>
  )
}

const ChoiceExample = () => {
  const [reach, setReach] = useState<'all' | 'some'>('some')
  const [types, setTypes] = useState<readonly string[]>(['Article'])
  const toggle = (name: string, checked: boolean) =>
    setTypes(checked ? [...types, name] : types.filter((other) => other !== name))
  return (
    <>
      <ChoiceGroup label="What it reads" help="It can be changed later.">
        <RadioChoice name="reach" value="all" chosen={reach} onChoose={setReach} label="All types" />
        <RadioChoice
          name="reach"
          value="some"
          chosen={reach}
          onChoose={setReach}
          label="Only some types"
          help="Types that are made later are not among them."
        />
      </ChoiceGroup>
      <ChoiceGroup label="Types" error={types.length === 0 ? 'Choose one type at least.' : undefined}>
        {['Article', 'Page'].map((name) => (
          <CheckboxField
            key={name}
            label={name}
            checked={types.includes(name)}
            onChecked={(checked) => toggle(name, checked)}
          />
        ))}
      </ChoiceGroup>
    </>
  )
}
