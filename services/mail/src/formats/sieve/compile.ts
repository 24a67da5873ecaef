import { compileCall } from './compile-call.ts'
import type { Call, Compilation, CompiledCommand, CompiledTest, SieveScript } from './compiled.ts'
import { addProblem, type Compiler, hasRoom, scopeOf } from './compiler.ts'
import type { CommandDefinition, TestDefinition } from './define.ts'
import { findIn, type Language, member, requireHint } from './language.ts'
import { readTokens, type Token } from './lexer.ts'
import { defaultLimits, type SieveLimits } from './limits.ts'
import { parseScript, type SyntaxCommand, type SyntaxTest } from './parser.ts'
import { problemAt, quoted, SieveSyntaxError } from './problems.ts'

export type CompileOptions = { readonly limits?: SieveLimits }

/** Compiles a script. Never throws: what is wrong comes back with line and column. */
export const compileScript = (source: string, language: Language, options: CompileOptions = {}): Compilation => {
  const limits = options.limits ?? defaultLimits
  if (source.length > limits.scriptLength)
    return refused(source, 0, `the script is longer than ${limits.scriptLength} characters`)
  const info = { language, source, extensions: new Set([language.base]) }
  const compiler: Compiler = { limits, info, problems: [], enclosing: [], hasOpened: false, notes: new Set() }
  const commands: CompiledCommand[] = []
  try {
    compileBlock(compiler, parseScript(source, limits.nesting), commands)
  } catch (error) {
    if (error instanceof SieveSyntaxError) return refused(source, error.at, error.message)
    throw error
  }
  if (compiler.problems.length > 0) return { script: null, problems: compiler.problems }
  const script: SieveScript = { ...info, commands }
  return { script, problems: [] }
}

/** The extensions that a script requires, also when the rest of it is wrong. */
export const extensionsOf = (source: string): string[] => {
  const found = new Set<string>()
  let isRequire = false
  for (const token of tokensBeforeError(source)) {
    if (token.kind === 'identifier') isRequire = token.text === 'require'
    else if (token.kind === 'string' && isRequire) found.add(token.text)
    else if (token.kind === ';') isRequire = false
  }
  return [...found]
}

const refused = (source: string, at: number, message: string): Compilation => ({
  script: null,
  problems: [problemAt(source, at, message)],
})

const tokensBeforeError = (source: string): readonly Token[] => {
  try {
    return readTokens(source)
  } catch (error) {
    if (error instanceof SieveSyntaxError) return readTokens(source.slice(0, error.at))
    throw error
  }
}

const compileBlock = (compiler: Compiler, commands: readonly SyntaxCommand[], block: CompiledCommand[]): void => {
  let before: string | null = null
  for (const command of commands) {
    if (!hasRoom(compiler)) return
    checkBranch(compiler, command, before)
    before = command.name
    const compiled = compileCommand(compiler, command)
    if (compiled) block.push(compiled)
  }
}

const checkBranch = (compiler: Compiler, { name, at }: SyntaxCommand, before: string | null): void => {
  if ((name === 'elsif' || name === 'else') && before !== 'if' && before !== 'elsif')
    addProblem(compiler, at, `"${name}" must follow the block of an "if" or "elsif"`)
}

const compileCommand = (compiler: Compiler, syntax: SyntaxCommand): CompiledCommand | null => {
  const definition = findCommand(compiler, syntax)
  if (!definition) return null
  if (!definition.opens) compiler.hasOpened = true
  else if (compiler.hasOpened || compiler.enclosing.length > 0)
    addProblem(compiler, syntax.at, `"${syntax.name}" must come before all other commands`)
  const block: CompiledCommand[] = []
  const tests = compileTests(compiler, syntax, null)
  const call = compileCall(compiler, syntax, definition, tests, block)
  if (!call) return null
  compileOwnBlock(compiler, syntax, definition, call, block)
  return { definition, call }
}

const findCommand = (compiler: Compiler, { name, at }: SyntaxCommand): CommandDefinition | null => {
  const found = findIn(compiler.info.extensions, ({ commands }) => member(commands, name))
  if (found) return found
  const isTest = findIn(compiler.info.extensions, ({ tests }) => member(tests, name)) !== null
  const hint = requireHint(compiler.info.language, ({ commands }) => member(commands, name))
  addProblem(
    compiler,
    at,
    isTest ? `${quoted(name)} is a test, not a command` : `unknown command ${quoted(name)}${hint}`,
  )
  return null
}

const compileOwnBlock = (
  compiler: Compiler,
  syntax: SyntaxCommand,
  definition: CommandDefinition,
  call: Call,
  block: CompiledCommand[],
): void => {
  const needsBlock = definition.block === true
  if (needsBlock !== (syntax.block !== null)) {
    const problem = needsBlock ? 'requires a block in braces' : "doesn't take a block; end it with a semicolon"
    addProblem(compiler, syntax.at, `${quoted(syntax.name)} ${problem}`)
    return
  }
  // RFC 5463 §4: what ihave says is missing must not be looked at.
  if (syntax.block === null || call.tests[0]?.constant === false) return
  compiler.enclosing.push(call)
  compileBlock(compiler, syntax.block, block)
  compiler.enclosing.pop()
}

/** Stops at the test that decides, so that `allof (ihave "x", x_test)` compiles without x. */
const compileTests = (compiler: Compiler, syntax: SyntaxTest, decider: boolean | null): CompiledTest[] => {
  const tests: CompiledTest[] = []
  for (const test of syntax.tests) {
    const compiled = compileTest(compiler, test)
    if (compiled) tests.push(compiled)
    if (compiled && compiled.constant !== null && compiled.constant === decider) break
  }
  return tests
}

const compileTest = (compiler: Compiler, syntax: SyntaxTest): CompiledTest | null => {
  if (!hasRoom(compiler)) return null
  const definition = findTest(compiler, syntax)
  if (!definition) return null
  const tests = compileTests(compiler, syntax, definition.decidedBy ?? null)
  const call = compileCall(compiler, syntax, definition, tests, [])
  if (!call) return null
  return { definition, call, constant: definition.constant?.(call, scopeOf(compiler)) ?? null }
}

const findTest = (compiler: Compiler, { name, at }: SyntaxTest): TestDefinition | null => {
  const found = findIn(compiler.info.extensions, ({ tests }) => member(tests, name))
  if (found) return found
  const isCommand = findIn(compiler.info.extensions, ({ commands }) => member(commands, name)) !== null
  const hint = requireHint(compiler.info.language, ({ tests }) => member(tests, name))
  addProblem(
    compiler,
    at,
    isCommand ? `${quoted(name)} is a command, not a test` : `unknown test ${quoted(name)}${hint}`,
  )
  return null
}
