import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

export const projectRoot = join(__dirname, '../..');
export const textOf = (file: string): string => readFileSync(join(projectRoot, file), 'utf8');

export const COMPOSE_FILES = [
  'docker-compose.yml',
  'deploy/tls/docker-compose.yml',
  'deploy/cluster/docker-compose.yml',
];

export interface ComposeService {
  build?: unknown;
  image?: string;
  cap_drop?: string[];
  read_only?: boolean;
  security_opt?: string[];
  command?: string[];
  environment?: Record<string, string>;
  volumes?: string[];
  depends_on?: string[] | Record<string, { condition: string }>;
  healthcheck?: { test: string[] };
}
export interface ComposeFile {
  name?: string;
  services: Record<string, ComposeService>;
  volumes?: Record<string, unknown>;
}

export const composeFile = (file: string): ComposeFile => parse(textOf(file), { merge: true });

/** The files as Compose merges them: mappings by key, lists one after the other. */
export const mergeComposeFiles = (files: readonly string[]): ComposeFile => files.map(composeFile).reduce(merge);

function merge<T>(first: T, second: T): T {
  if (Array.isArray(first) && Array.isArray(second)) return [...first, ...second] as T;
  if (!isMapping(first) || !isMapping(second)) return second ?? first;
  const result: Record<string, unknown> = { ...first };
  for (const [key, value] of Object.entries(second)) result[key] = key in first ? merge(first[key], value) : value;
  return result as T;
}

const isMapping = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The names of all `${VARIABLES}` in a text, and the settings of an environment file. */
export const variablesOf = (text: string): Set<string> =>
  new Set([...text.replaceAll('$$', '').matchAll(/\$\{([A-Z_]+)/g)].map(([, name = '']) => name));
export const settingsOf = (text: string): Set<string> =>
  new Set([...text.matchAll(/^([A-Z_]+)=/gm)].map(([, name = '']) => name));
