import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { AppModule } from '../app.module.js';
import { documentOf, typesOfAnswers as kept, type TypesOfAnswers } from './document.js';
import { routesOf } from './routes.js';
import { type Schema, shapeRef } from './schema.js';

const ROOT = join(__dirname, '../../..');
const HTTP_METHODS = new Set(['Get', 'Post', 'Put', 'Patch', 'Delete']);
const KEPT = join(__dirname, 'answers.generated.json');

/**
 * Reads the response type and the comment of each controller method from the source, through the TypeScript compiler, so
 * that response shapes are defined only once, in contracts/.
 */
function readTypesOfAnswers(): TypesOfAnswers {
  const { options, fileNames } = parsedConfig();
  const controllers = fileNames.filter((name) => name.endsWith('.controller.ts'));
  const program = ts.createProgram(controllers, { ...options, noEmit: true });
  const reader = new TypeReader(program.getTypeChecker());
  for (const name of controllers) {
    for (const statement of program.getSourceFile(name)?.statements ?? []) {
      if (ts.isClassDeclaration(statement) && isDecorated(statement, 'Controller')) reader.readController(statement);
    }
  }
  return { answers: sorted(reader.answers), shapes: sorted(reader.shapes) };
}

function parsedConfig(): ts.ParsedCommandLine {
  const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), ts.sys.readFile);
  return ts.parseJsonConfigFileContent({ ...config, include: ['api/src'] }, ts.sys, ROOT);
}

const decoratorNames = (node: ts.HasDecorators): string[] =>
  (ts.getDecorators(node) ?? []).map(({ expression }) =>
    ts.isCallExpression(expression) ? expression.expression.getText() : expression.getText(),
  );

const isDecorated = (node: ts.HasDecorators, name: string): boolean => decoratorNames(node).includes(name);

const sorted = <T>(byName: Record<string, T>): Record<string, T> =>
  Object.fromEntries(Object.entries(byName).sort(([one], [other]) => (one < other ? -1 : 1)));

class TypeReader {
  readonly answers: TypesOfAnswers['answers'] = {};
  readonly shapes: TypesOfAnswers['shapes'] = {};

  constructor(private readonly checker: ts.TypeChecker) {}

  readController(controller: ts.ClassDeclaration): void {
    for (const member of controller.members) {
      if (!ts.isMethodDeclaration(member) || !decoratorNames(member).some((name) => HTTP_METHODS.has(name))) continue;
      const signature = this.checker.getSignatureFromDeclaration(member);
      if (!signature) throw new Error(`${member.name.getText()} has no signature`);
      const returned = this.checker.getAwaitedType(signature.getReturnType()) ?? signature.getReturnType();
      const parts = (returned.isUnion() ? returned.types : [returned]).map((type) => bodyOf(type));
      const bodies = [...new Set(parts.map(({ body }) => body))];
      this.answers[`${controller.name?.text}.${member.name.getText()}`] = {
        summary: textOf(this.checker.getSymbolAtLocation(member.name), this.checker),
        schema: bodies.some((body) => body.flags & (ts.TypeFlags.Void | ts.TypeFlags.String))
          ? null
          : this.union(bodies),
        hasPosition: parts.some(({ hasPosition }) => hasPosition),
      };
    }
  }

  private schemaOf(type: ts.Type): Schema {
    const name = nameOf(type);
    if (name === null) return this.unnamed(type);
    if (!(name in this.shapes)) {
      // Set before its parts are read, because a shape may refer to itself.
      this.shapes[name] = {};
      const symbol = type.aliasSymbol ?? type.symbol;
      this.shapes[name] = { ...described(textOf(symbol, this.checker)), ...this.unnamed(type) };
    }
    return { $ref: shapeRef(name) };
  }

  private unnamed(type: ts.Type): Schema {
    if (type.isUnion()) return this.union(type.types);
    if (type.isStringLiteral() || type.isNumberLiteral()) return { enum: [type.value] };
    if (type.flags & ts.TypeFlags.BooleanLiteral) return { enum: [this.checker.typeToString(type) === 'true'] };
    if (type.flags & ts.TypeFlags.String) return { type: 'string' };
    if (type.flags & ts.TypeFlags.Number) return { type: 'number' };
    if (type.flags & ts.TypeFlags.Null) return { type: 'null' };
    // An empty schema allows any value.
    if (type.flags & ts.TypeFlags.Unknown) return {};
    if (this.checker.isArrayType(type)) {
      return { type: 'array', items: this.schemaOf(this.checker.getTypeArguments(type as ts.TypeReference)[0]!) };
    }
    if (type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) return this.object(type);
    throw new Error(`${this.checker.typeToString(type)} is not described`);
  }

  private union(types: readonly ts.Type[]): Schema {
    const defined = types.filter(({ flags }) => !(flags & ts.TypeFlags.Undefined));
    if (defined.length === 1) return this.schemaOf(defined[0]!);
    const booleans = defined.filter(({ flags }) => flags & ts.TypeFlags.BooleanLiteral);
    const literals = defined.filter((type) => type.isStringLiteral() || type.isNumberLiteral());
    const rest = defined.filter(
      (type) => !literals.includes(type as never) && (booleans.length < 2 || !booleans.includes(type)),
    );
    const schemas: Schema[] = [
      ...(literals.length > 0 ? [{ enum: literals.map((type) => (type as ts.LiteralType).value as string) }] : []),
      ...(booleans.length === 2 ? [{ type: 'boolean' } as const] : []),
      ...rest.map((type) => this.schemaOf(type)),
    ];
    return schemas.length === 1 ? schemas[0]! : { anyOf: schemas };
  }

  private object(type: ts.Type): Schema {
    const index = this.checker.getIndexInfoOfType(type, ts.IndexKind.String);
    if (index) return { type: 'object', additionalProperties: this.schemaOf(index.type) };
    const properties: Record<string, Schema> = {};
    const required: string[] = [];
    for (const property of inOrder(this.checker.getPropertiesOfType(type))) {
      const schema = this.schemaOf(this.checker.getTypeOfSymbol(property));
      properties[property.name] = { ...described(textOf(property, this.checker)), ...schema };
      if (!(property.flags & ts.SymbolFlags.Optional)) required.push(property.name);
    }
    return { type: 'object', properties, required };
  }
}

/** Declared properties in the order of the source, then the names that a mapped type generates, sorted. */
function inOrder(properties: readonly ts.Symbol[]): ts.Symbol[] {
  const generated = properties.filter(({ declarations }) => declarations === undefined);
  const declared = properties.filter(({ declarations }) => declarations !== undefined);
  return [...declared, ...generated.sort((one, other) => (one.name < other.name ? -1 : 1))];
}

/** Unwraps WithPosition: the position becomes a header. */
function bodyOf(type: ts.Type): { body: ts.Type; hasPosition: boolean } {
  if (type.symbol?.name !== 'WithPosition') return { body: type, hasPosition: false };
  const property = type.getProperty('body');
  if (!property) throw new Error('WithPosition has no body');
  return { body: (type as ts.TypeReference).typeArguments?.[0] as ts.Type, hasPosition: true };
}

/** The name of a type that contracts/ exports; null for any other type. */
function nameOf(type: ts.Type): string | null {
  const symbol = type.aliasSymbol ?? type.symbol;
  const declaration = symbol?.declarations?.[0];
  if (!declaration || (type.aliasTypeArguments?.length ?? 0) > 0) return null;
  if (!ts.isInterfaceDeclaration(declaration) && !ts.isTypeAliasDeclaration(declaration)) return null;
  return declaration.getSourceFile().fileName.includes('/contracts/') ? symbol.name : null;
}

const described = (description: string): Pick<Schema, 'description'> => (description === '' ? {} : { description });

const textOf = (symbol: ts.Symbol | undefined, checker: ts.TypeChecker): string =>
  ts.displayPartsToString(symbol?.getDocumentationComment(checker)).replaceAll('\n', ' ');

const read = readTypesOfAnswers();

function keep(): void {
  writeFileSync(KEPT, `${JSON.stringify(read, null, 2)}\n`);
}

const routes = routesOf(AppModule);

if (process.env.UPDATE_ANSWERS) it('what the types say of the answers is kept', keep);
else {
  it('is up to date with the types (otherwise run: UPDATE_ANSWERS=1 npx jest answers)', () => {
    expect(kept).toEqual(read);
  });
}

/** Queries that read no read model, so `X-After-Position` means nothing to them. */
const WITHOUT_POSITION = [
  '/api/account/sessions',
  '/api/admin/sign-ins',
  '/api/auth/status',
  '/api/coin-minimums',
  '/api/health',
  '/api/health/live',
  '/api/ledger/checkpoint',
  '/api/ledger/events/{revision}',
  '/api/ledger/key',
  '/api/metrics',
  '/api/ref/{code}',
  '/api/reminders/key',
  '/api/staff/second-factor',
];

it('waits in every other query for X-After-Position (AfterPositionInterceptor)', () => {
  const others = routes.filter(({ method, waitsForPosition }) => method === 'get' && !waitsForPosition);
  expect(others.map(({ path }) => path).sort()).toEqual(WITHOUT_POSITION);
});

describe('the document', () => {
  const document = documentOf(routes, read);

  it.each(routes.map((route) => [`${route.method.toUpperCase()} ${route.path}`, route] as const))(
    'describes %s: purpose, role, request and response',
    (_, route) => {
      const operation = document.paths[route.path]?.[route.method];
      expect(operation?.summary).toMatch(/\w.*\.$/);
      expect(operation?.description).toMatch(/^For /);
      const responses = operation?.responses as Record<string, { content: Record<string, { schema: Schema }> }>;
      expect(Object.values(responses[route.status]?.content ?? {})).toEqual([{ schema: expect.anything() }]);
      expect(responses).toHaveProperty('503');
      if (route.body) expect(sizeOf(document.components?.schemas?.[route.body.name] as Schema)).toBeGreaterThan(0);
    },
  );

  it('defines every schema it refers to', () => {
    const known = Object.keys(document.components?.schemas ?? {});
    const meant = [...JSON.stringify(document).matchAll(/#\/components\/schemas\/(\w+)/g)].map(([, name]) => name);
    expect(meant.filter((name) => !known.includes(name as string))).toEqual([]);
  });

  it('describes the fields of a body', () => {
    expect(document.components?.schemas?.WithdrawDto).toEqual({
      type: 'object',
      properties: {
        cryptoType: { enum: ['BTC', 'LTC', 'TRX', 'DOGE'] },
        walletAddress: { type: 'string', minLength: 1, maxLength: 128 },
        amountCents: { type: 'integer', minimum: 1_000 },
      },
      required: expect.arrayContaining(['cryptoType', 'walletAddress', 'amountCents']),
    });
  });
});

const sizeOf = ({ properties = {} }: Schema): number => Object.keys(properties).length;
