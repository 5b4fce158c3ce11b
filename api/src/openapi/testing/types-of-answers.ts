import { join } from 'node:path';
import ts from 'typescript';
import type { TypesOfAnswers } from '../document.js';
import { type Schema, shapeRef } from '../schema.js';

const ROOT = join(__dirname, '../../../..');
const HTTP_METHODS = new Set(['Get', 'Post', 'Put', 'Patch', 'Delete']);

/**
 * Reads the response type and the comment of each controller method from the source, through the TypeScript compiler, so
 * that response shapes are defined only once, in contracts/.
 */
export function readTypesOfAnswers(): TypesOfAnswers {
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
        schema: bodies.some((body) => body.flags & ts.TypeFlags.Void) ? null : this.union(bodies),
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
