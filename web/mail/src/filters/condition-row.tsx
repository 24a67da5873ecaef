import { IconButton } from '@stoa/ui/button/button.tsx'
import { Input } from '@stoa/ui/form/input.tsx'
import { Select, type SelectOption } from '@stoa/ui/form/select.tsx'
import { Plus, X } from 'lucide-react'
import { conditionOn, replaced } from './edited-rules.ts'
import { type PartFrame, PartRow, type Wiring } from './rule-parts.tsx'
import { fieldNames, testNames } from './rule-words.ts'
import { type Condition, textTests } from './rules.ts'
import { SizeInput } from './size-input.tsx'

type ConditionRowProps = PartFrame & {
  condition: Condition
  error: string | undefined
  onChange: (condition: Condition) => void
}

const fields = (Object.keys(fieldNames) as Condition['on'][]).map((value) => ({ value, label: fieldNames[value] }))

/** One thing that messages are asked. */
export const ConditionRow = ({ condition, onChange, ...row }: ConditionRowProps) => (
  <PartRow {...row}>
    {(wiring) => (
      <>
        <Select
          aria-label={`${row.name}: field`}
          className="w-44! phone:w-full!"
          value={condition.on}
          options={fields}
          onValue={(value) => {
            const on = fields.find((field) => field.value === value)?.value
            if (on) onChange(conditionOn(on, condition))
          }}
        />
        <Question condition={condition} name={row.name} wiring={wiring} onChange={onChange} />
      </>
    )}
  </PartRow>
)

type QuestionProps = { condition: Condition; name: string; wiring: Wiring; onChange: (condition: Condition) => void }

const Question = ({ condition, name, wiring, onChange }: QuestionProps) => {
  switch (condition.on) {
    case 'size':
      return (
        <>
          <EitherSelect
            label={`${name}: larger or smaller`}
            value={condition.over}
            words={['is larger than', 'is smaller than']}
            onValue={(over) => onChange({ ...condition, over })}
          />
          <SizeInput
            label={`${name}: size`}
            bytes={condition.bytes}
            {...wiring}
            onBytes={(bytes) => onChange({ ...condition, bytes })}
          />
        </>
      )
    case 'spam':
      return (
        <>
          <EitherSelect
            label={`${name}: above or below`}
            value={condition.over}
            words={['is at least', 'is below']}
            onValue={(over) => onChange({ ...condition, over })}
          />
          <Input
            aria-label={`${name}: percent`}
            type="number"
            min={0}
            max={100}
            className="w-24!"
            trailing={<span className="pr-2">%</span>}
            value={String(condition.percent)}
            onChange={(event) => onChange({ ...condition, percent: Number(event.target.value) })}
          />
        </>
      )
    case 'attachment':
      return (
        <EitherSelect
          label={`${name}: present or missing`}
          value={!condition.not}
          words={['is present', 'is missing']}
          onValue={(there) => onChange({ ...condition, not: !there })}
        />
      )
    case 'exists':
      return (
        <>
          <HeaderInput
            name={name}
            header={condition.header}
            {...wiring}
            onHeader={(header) => onChange({ ...condition, header })}
          />
          <EitherSelect
            label={`${name}: present or missing`}
            value={!condition.not}
            words={['is present', 'is missing']}
            onValue={(there) => onChange({ ...condition, not: !there })}
          />
        </>
      )
    default:
      return <TextQuestion condition={condition} name={name} wiring={wiring} onChange={onChange} />
  }
}

type TextCondition = Extract<Condition, { test: string }>
type TextQuestionProps = Omit<QuestionProps, 'condition'> & { condition: TextCondition }

const testOptions: readonly SelectOption[] = textTests.flatMap((test) => [
  { value: `${test} yes`, label: testNames[test].yes },
  { value: `${test} no`, label: testNames[test].no },
])

const TextQuestion = ({ condition, name, wiring, onChange }: TextQuestionProps) => {
  const choose = (value: string) => {
    const test = textTests.find((known) => value.startsWith(`${known} `))
    if (test) onChange({ ...condition, test, not: value.endsWith(' no') })
  }
  return (
    <>
      {condition.on === 'header' ? (
        <HeaderInput
          name={name}
          header={condition.header}
          {...wiring}
          onHeader={(header) => onChange({ ...condition, header })}
        />
      ) : null}
      <Select
        aria-label={`${name}: comparison`}
        className="w-48! phone:w-full!"
        value={`${condition.test} ${condition.not ? 'no' : 'yes'}`}
        options={testOptions}
        onValue={choose}
      />
      <Values condition={condition} name={name} wiring={wiring} onChange={onChange} />
    </>
  )
}

/** Any of them is enough; each has its own input. */
const Values = ({ condition, name, wiring, onChange }: TextQuestionProps) => {
  const { values } = condition
  const set = (next: readonly string[]) => onChange({ ...condition, values: next })
  return (
    <div className="flex min-w-44 flex-1 flex-col gap-1.5 phone:basis-full">
      {values.map((value, index) => (
        // Rows have no other name than their place
        // biome-ignore lint/suspicious/noArrayIndexKey: the value is what is typed
        <div key={index} className="flex items-center gap-1.5">
          <Input
            {...(value.trim() === '' || condition.on === 'header' ? wiring : {})}
            aria-label={values.length === 1 ? `${name}: text` : `${name}: text ${index + 1}`}
            placeholder={index === 0 ? placeholderOf(condition) : 'or'}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            value={value}
            onChange={(event) => set(replaced(values, index, event.target.value))}
          />
          {values.length > 1 ? (
            <IconButton
              size="sm"
              label={`Remove text ${index + 1}`}
              icon={<X />}
              onClick={() => set(values.toSpliced(index, 1))}
            />
          ) : null}
          {index === values.length - 1 ? (
            <IconButton
              size="sm"
              label={`${name}: add another text`}
              icon={<Plus />}
              onClick={() => set([...values, ''])}
            />
          ) : (
            <span aria-hidden className="size-7 shrink-0 touch:size-9" />
          )}
        </div>
      ))}
    </div>
  )
}

const placeholderOf = ({ on, test }: TextCondition): string => {
  if (test === 'matches') return '* any text, ? any character'
  if (test === 'regex') return '^\\[ticket-[0-9]+\\]'
  if (on === 'from' || on === 'to' || on === 'cc' || on === 'recipients')
    return test === 'contains' ? 'Name or address' : 'Address'
  return on === 'list' ? 'List name' : 'Text'
}

type HeaderInputProps = Wiring & { name: string; header: string; onHeader: (header: string) => void }

const HeaderInput = ({ name, header, onHeader, ...wiring }: HeaderInputProps) => (
  <Input
    {...(header.trim() === '' ? wiring : {})}
    aria-label={`${name}: header`}
    className="w-44! phone:w-full!"
    placeholder="X-Priority"
    autoComplete="off"
    autoCapitalize="none"
    spellCheck={false}
    value={header}
    onChange={(event) => onHeader(event.target.value)}
  />
)

type EitherSelectProps = {
  label: string
  value: boolean
  words: readonly [string, string]
  onValue: (value: boolean) => void
}

const EitherSelect = ({ label, value, words: [yes, no], onValue }: EitherSelectProps) => (
  <Select
    aria-label={label}
    className="w-48! phone:w-full!"
    value={value ? 'yes' : 'no'}
    options={[
      { value: 'yes', label: yes },
      { value: 'no', label: no },
    ]}
    onValue={(next) => onValue(next === 'yes')}
  />
)
