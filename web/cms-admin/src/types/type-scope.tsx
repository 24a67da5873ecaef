import { ChoiceGroup, RadioChoice } from '@stoa/ui/form/choice-group.tsx'
import { useId } from 'react'
import { ALL_TYPES, isAllTypes } from './scope.ts'
import { TypeBoxes } from './type-boxes.tsx'

type TypeScopeProps = {
  label: string
  help?: string
  /** Type names, or `["*"]`. */
  value: readonly string[]
  onValue: (types: string[]) => void
  error?: string | undefined
}

/** All content types, or some of them. */
export const TypeScope = ({ label, help, value, onValue, error }: TypeScopeProps) => {
  const name = useId()
  const all = isAllTypes(value)
  return (
    <ChoiceGroup label={label} help={help} error={error}>
      <RadioChoice
        name={name}
        value="all"
        chosen={all ? 'all' : 'some'}
        onChoose={() => onValue([ALL_TYPES])}
        label="All types, including future ones"
      />
      <RadioChoice
        name={name}
        value="some"
        chosen={all ? 'all' : 'some'}
        onChoose={() => onValue([])}
        label="Only some types"
      />
      {all ? null : (
        <div className="pl-6.5">
          <TypeBoxes value={value} onValue={onValue} />
        </div>
      )}
    </ChoiceGroup>
  )
}
