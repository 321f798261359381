import { runOptionRules } from '../call/controls/require-options.ts'
import { isJsonObject } from '../json/json.ts'
import {
  aFunction,
  type FieldRule,
  isFunction,
  isMap,
  isString,
  type MemberRules,
  omitRules,
  someText,
  text,
  withMethods,
} from '../problems/field-rule.ts'
import type { OptionRules } from '../problems/option-problems.ts'
import { contractDigits } from '../schema/wire-form.ts'
import { isLoopback } from './gate.ts'
import { hostNamed, isOrigin } from './hosts-and-origins.ts'
import { limitRules } from './limits.ts'
import type { OutcomeStore } from './outcome-store.ts'
import type { OAuthOptions } from './protected-resource.ts'
import type { ToolServerOptions } from './tool-handler.ts'
import { isWebAddress } from './web-address.ts'

/** Accepts Tools to serve. */
export const servableTool: FieldRule = withMethods(
  'the Tool of a registry, such as `generated/` exports',
  'run',
  'on',
  'get',
  'composable',
)

/** The rules for `run`: without `principal`, which `authorize` decides. Options of groups apply if a client requests one. */
const servedRunRules = omitRules(
  runOptionRules,
  'signal',
  'id',
  'attempt',
  'context',
  'references',
  'timeout',
  'principal',
)

/** Accepts limits. */
const limits: FieldRule = [isJsonObject, 'an object of limits', limitRules]

/** Accepts headers to send, whose names and values are checked later. */
export const headers: FieldRule = [
  (value) => isFunction(value) || isMap(value),
  'an object of texts by name, or a function that gives them',
]

const store: FieldRule = [
  (value) =>
    isJsonObject(value) &&
    (['claim', 'finish', 'release'] satisfies (keyof OutcomeStore)[]).every((name) =>
      isFunction(value[name]),
    ),
  'a store, such as memoryStore(…)',
]

const address: FieldRule = [
  isSecureAddress,
  'an https address without query, such as "https://tools.example/mcp"; http is for loopback',
]

const oauth: MemberRules = {
  rules: {
    resource: address,
    authorizationServers: [
      (value) => isListOf(isSecureAddress)(value) && (value as unknown[]).length > 0,
      'a list of https addresses, such as ["https://auth.example"]; http is for loopback',
    ],
    scopes: [
      // RFC 6749, section 3.3.
      isListOf((scope) => /^[!#-[\]-~]+$/.test(scope)),
      'a list of scopes, without spaces and quotes',
    ],
  } satisfies OptionRules<OAuthOptions>,
  required: ['resource', 'authorizationServers'],
}

/** The rules for the options of a server. */
export const toolServerRules: OptionRules<ToolServerOptions> = {
  authorize: aFunction,
  hosts: [
    isListOf((name) => hostNamed(name) !== undefined),
    'a list of host names without scheme and port, such as "tools.example"',
  ],
  origins: [
    isListOf(isOrigin),
    'a list of origins as browsers send them, such as "https://app.example": no path, no slash at the end',
  ],
  oauth: [isJsonObject, 'an object of options', oauth],
  name: someText,
  version: text,
  instructions: text,
  openWorld: [
    (value) => typeof value === 'boolean' || isListOf(() => true)(value),
    'true, false, or a list of names of Tools',
  ],
  limits,
  store,
  contracts: [
    (value) => isMap(value) && Object.values(value).every(isListOf(isContract)),
    'lists of contracts by the name of a Tool, such as { pay: ["0123456789abcdef"] }',
  ],
  basePath: [
    (value) => isString(value) && /^(?:\/.*[^/])?$/.test(value) && isPathOfUrl(value),
    'a path as URLs write it, that starts with a slash and does not end with one',
  ],
  run: [isJsonObject, 'an object of options', { rules: servedRunRules, isCopied: true }],
  onError: aFunction,
}

function isListOf(isOne: (text: string) => boolean): FieldRule[0] {
  return (value) => Array.isArray(value) && value.every((each) => isString(each) && isOne(each))
}

/** True for an address at which a token may be sent. Clients compare it as text, and `URL` would leave white space out. */
function isSecureAddress(text: unknown): boolean {
  if (!isString(text) || /\s/.test(text) || !isWebAddress(text)) return false
  const { protocol, hostname } = new URL(text)
  return protocol === 'https:' || isLoopback(hostname)
}

function isContract(hash: string): boolean {
  return hash.length === contractDigits && /^[\da-f]+$/.test(hash)
}

/** True for a base path in the form of URLs; no request would match any other form. */
function isPathOfUrl(path: string): boolean {
  return path === '' || new URL(`http://localhost${path}`).pathname === path
}
