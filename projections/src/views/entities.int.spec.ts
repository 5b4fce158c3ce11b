import { DataSource, getMetadataArgsStorage } from 'typeorm';
import { until } from '../../../contracts/testing/until.js';
import { MemoryLog } from '../testing/memory-log.js';
import { TestWorker } from '../testing/worker.js';
import './tables.entity.js';

let worker: TestWorker;
let dataSource: DataSource;

beforeAll(async () => {
  worker = await TestWorker.open();
  worker.start(new MemoryLog());
  await until(async () => (await worker.position()) !== null);
  dataSource = await new DataSource({
    type: 'postgres',
    url: worker.database.url,
    entities: getMetadataArgsStorage().tables.map(({ target }) => target),
  }).initialize();
});

afterAll(async () => {
  await dataSource.destroy();
  await worker.close();
});

describe('the entities', () => {
  it('have exactly the columns of the tables that the views create', async () => {
    const { rows } = await worker.db.query<{ table: string; columns: string[] }>(
      `SELECT table_name AS table, array_agg(column_name || ' ' || data_type || ' ' || is_nullable ORDER BY column_name) AS columns
       FROM information_schema.columns WHERE table_schema = 'read' AND table_name = ANY($1::text[])
       GROUP BY table_name ORDER BY table_name`,
      [dataSource.entityMetadatas.map(({ tableName }) => tableName)],
    );
    const described = dataSource.entityMetadatas
      .map(({ tableName, columns }) => ({
        table: tableName,
        columns: columns
          .map(({ databaseName, type, isNullable, isArray }) => {
            const kind = isArray ? 'ARRAY' : String(type);
            return `${databaseName} ${kind} ${isNullable ? 'YES' : 'NO'}`;
          })
          .sort(),
      }))
      .sort((one, other) => (one.table < other.table ? -1 : 1));
    expect(described.length).toBe(22);
    expect(described).toEqual(rows.map(({ table, columns }) => ({ table, columns: [...columns].sort() })));
  });
});
